"""A UCI engine for tic-tac-toe; its argument says what it does wrong."""

import os
import signal
import subprocess
import sys
import time

CELLS = [column + row for row in "123" for column in "abc"]
OPTIONS = """\
option name Hash type spin default 16 min 1 max 64
option name Skill Level type spin default 3 min 0 max 20
option name Style type combo default Fail High var Solid var Fail High var Risky
option name Ponder type check default false
option name Clear Hash type button
option name Log File type string default
option nonsense
"""


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def sleep() -> None:
    time.sleep(600)


def go(mode: str, moves: list[str]) -> None:
    free = [cell for cell in CELLS if cell not in moves]
    if mode == "die":
        sys.stderr.write("warming up\nout of coffee\n")
        sys.exit(3)
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "hang":
        sleep()
    if mode == "garbage":
        for _ in range(3):
            say("\x00\x01 info score cp banana depth -- pv")
        say("info depth x score mate")
        sleep()
    if mode == "flood":
        while True:
            say("x" * 5000)
    if mode == "line":
        while True:
            sys.stdout.write("x" * 100_000)
    if mode == "stops":
        assert sys.stdin.readline() == "stop\n"
    if mode == "late":
        time.sleep(0.5)
    say("info depth 7 seldepth 9 multipv 1 score cp 35 nodes 1234 nps 99 pv " + " ".join(free[:2]))
    say("info depth 7 multipv 2 score cp -500 pv c3")
    say("info depth 8 score cp 900 upperbound nodes 2345")
    say("info string score cp 1 is a lie")
    answer = {"illegal": moves[0] if moves else "z9", "none": "(none)", "empty": ""}.get(mode, free[0])
    say(f"bestmove {answer} ponder c3".rstrip() if answer else "bestmove")


def main(mode: str) -> None:
    moves: list[str] = []
    if mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        say(f"info string child {child.pid}")
    for line in sys.stdin:
        words = line.split() or [""]
        if words[0] == "uci":
            if mode == "mute":
                sleep()
            if mode == "slow":
                time.sleep(0.3)
            say(f"id name Fake {mode}\nid author nobody\n{OPTIONS}uciok")
        elif words[0] == "isready":
            if mode == "unready" and moves:
                sleep()
            say("readyok")
        elif words[0] == "setoption":
            say("info string " + line.strip())
        elif words[0] == "position":
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            go(mode, moves)
        elif words[0] == "quit" and mode != "stubborn":
            return
    if mode == "stubborn":
        sleep()


main(sys.argv[1])
