"""A GTP program for tic-tac-toe; its argument says what it does wrong."""

import sys
import time

CELLS = [column + row for row in "123" for column in "abc"]
COMMANDS = "name list_commands boardsize clear_board komi play genmove final_score undo time_settings quit"


def say(text: str) -> None:
    sys.stdout.write(text + "\n\n")
    sys.stdout.flush()


def genmove(mode: str, moves: list[str]) -> None:
    free = [cell for cell in CELLS if cell not in moves]
    if mode == "hang":
        time.sleep(600)
    if mode == "die":
        sys.exit(1)
    if mode == "garbage":
        say("what?! " * 3)
        time.sleep(600)
    if mode == "refuse":
        say("? I would rather not")
    else:
        move = {"illegal": "Z9", "empty": "", "resign": "resign"}.get(mode, free[0].upper())
        moves.append(move.lower())
        say(f"= {move}")


def main(mode: str) -> None:
    moves: list[str] = []
    for line in sys.stdin:
        words = line.split() or [""]
        if words[0] == "name":
            say("? unknown command" if mode == "mute" else f"=\tFake {mode}")
        elif words[0] == "list_commands":
            say("= " + COMMANDS.replace(" ", "\n"))
        elif words[0] == "clear_board":
            moves.clear()
            say("=")
        elif words[0] == "play":
            taken = words[2].lower() in moves
            moves.append(words[2].lower())
            say("? illegal move" if taken else "=1")
        elif words[0] == "undo":
            moves.pop()
            say("=")
        elif words[0] == "genmove":
            genmove(mode, moves)
        elif words[0] == "final_score":
            say("= B+" + str(len(moves)))
        elif words[0] == "quit":
            say("=")
            return
        else:
            say("=")


main(sys.argv[1])
