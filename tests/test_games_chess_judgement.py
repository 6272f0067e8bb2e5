"""Chess's evaluation: it counts what a slow count on python-chess's board finds, and is fair to both sides."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import chess
import pytest

from zermelo.games.chess import Chess
from zermelo.games.chess.judgement import GUARD, MOST_DANGER, NAMES, QUEENLESS, UNTOUCHED
from zermelo.tuples import weighted

GAME = Chess()
WEIGHTS = dict(zip(NAMES, GAME.weights, strict=True))
KINDS = {
    chess.PAWN: "pawn",
    chess.KNIGHT: "knight",
    chess.BISHOP: "bishop",
    chess.ROOK: "rook",
    chess.QUEEN: "queen",
    chess.KING: "king",
}
PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def positions(seed: int, count: int) -> Iterator[chess.Board]:
    """Positions of random games, early and late."""
    luck = random.Random(seed)
    while count:
        board = chess.Board()
        for _ in range(luck.randrange(200)):
            if board.is_game_over():
                break
            board.push(luck.choice(list(board.legal_moves)))
        if not board.is_game_over():
            count -= 1
            yield board


def hits(board: chess.Board, whose: chess.Color, *kinds: int) -> set[int]:
    """All squares that some kinds of pieces attack."""
    return {target for kind in kinds for square in board.pieces(kind, whose) for target in board.attacks(square)}


def column(square: int) -> int:
    return chess.square_file(square)


def row(square: int) -> int:
    return chess.square_rank(square)


def white_has(board: chess.Board) -> Counter[str]:
    """What counts for White, by name."""
    found = Counter[str]()
    for each in (standing, outposts, pawns, room, threats):
        found.update(each(board))
    found.update(shelter(board))
    found[f"attack of {danger(board)}"] += 1
    rights = board.castling_rights & chess.BB_RANK_1
    found[f"may castle in {chess.popcount(rights)} ways"] += 1
    return found


def standing(board: chess.Board) -> Iterator[str]:
    """Pieces by their squares and by what they reach; bishops, rooks and knights by pawns."""
    own, other = board.pieces(chess.PAWN, True), board.pieces(chess.PAWN, False)
    shut = set(own) | hits(board, False, chess.PAWN)
    for square, piece in board.piece_map().items():
        if piece.color:
            a = min(column(square), 7 - column(square))
            name = f"{KINDS[piece.piece_type]} on {'abcd'[a]}{row(square) + 1} or {'hgfe'[a]}{row(square) + 1}"
            yield name
            if piece.piece_type in PIECES:
                yield f"{KINDS[piece.piece_type]} reaching {len(set(board.attacks(square)) - shut)}"
    for bishop in board.pieces(chess.BISHOP, True):
        light = bishop in chess.SquareSet(chess.BB_LIGHT_SQUARES)
        for pawn in own:
            if (pawn in chess.SquareSet(chess.BB_LIGHT_SQUARES)) == light:
                yield "pawns on a bishop's colour"
    if len(board.pieces(chess.BISHOP, True)) > 1:
        yield "two bishops"
    for rook in board.pieces(chess.ROOK, True):
        if column(rook) not in map(column, own):
            yield "rook on a half-open file" if column(rook) in map(column, other) else "rook on an open file"
        yield from ["pawns for each rook"] * len(own)


def outposts(board: chess.Board) -> Iterator[str]:
    """Knights and bishops by squares that pawns keep safe, by pawns before them, and by their king."""
    others, king = board.pieces(chess.PAWN, False), board.king(True)
    assert king is not None

    def is_safe(square: int) -> bool:
        driven = any(abs(column(pawn) - column(square)) == 1 and row(pawn) > row(square) for pawn in others)
        return 3 <= row(square) <= 5 and square in hits(board, True, chess.PAWN) and not driven

    for kind in (chess.KNIGHT, chess.BISHOP):
        for square in board.pieces(kind, True):
            if is_safe(square):
                yield f"safe {KINDS[kind]}"
            if square < 56 and board.piece_type_at(square + 8) == chess.PAWN:
                yield "minor pieces behind pawns"
            yield from [f"steps of a {KINDS[kind]} to its king"] * chess.square_distance(square, king)
            if kind == chess.KNIGHT:
                yield from ["pawns for each knight"] * len(board.pieces(chess.PAWN, True))
    for square in hits(board, True, chess.KNIGHT):
        if is_safe(square) and board.color_at(square) is not True:
            yield "knights on the way to safety"


def room(board: chess.Board) -> Iterator[str]:
    """Squares that White's side of the board leaves free, and those that White hits."""
    pawns, king = board.pieces(chess.PAWN, True), board.king(False)
    assert king is not None
    by_pawns, guarded = hits(board, False, chess.PAWN), hits(board, False, *KINDS)
    struck = hits(board, True, chess.PAWN, *PIECES)
    columns = range(4) if column(king) < 3 else range(2, 6) if column(king) < 5 else range(4, 8)
    for square in chess.SQUARES:
        if 2 <= column(square) <= 5 and 1 <= row(square) <= 3 and square not in pawns and square not in by_pawns:
            yield "free squares at home"
        if square in struck and row(square) >= 3 and column(square) in columns:
            yield "squares hit near the king"
        if square in struck & guarded - by_pawns:
            yield "squares hit by both"


def pawns(board: chess.Board) -> Iterator[str]:
    """Pawns by each other, by those against them, by rooks and by kings."""
    own, other = set(board.pieces(chess.PAWN, True)), set(board.pieces(chess.PAWN, False))
    guarded = hits(board, False, *KINDS)

    def is_passed(pawn: int) -> bool:
        return not any(abs(column(foe) - column(pawn)) <= 1 and row(foe) > row(pawn) for foe in other)

    for pawn in own:
        at = f"on row {row(pawn) + 1}"
        ahead, beside = pawn + 8, [each for each in own if abs(column(each) - column(pawn)) == 1]
        alone = not beside
        behind = (
            bool(beside) and all(row(each) > row(pawn) for each in beside) and ahead in hits(board, False, chess.PAWN)
        )
        if alone or behind:
            yield "isolated pawn" if alone else "backward pawn"
            if not any(column(foe) == column(pawn) and row(foe) > row(pawn) for foe in other):
                yield "isolated or backward pawn on an open file"
        if any(column(each) == column(pawn) and row(each) > row(pawn) for each in own):
            yield "doubled pawn"
        if any(row(each) == row(pawn) - 1 for each in beside):
            yield f"supported pawn {at}"
        if any(row(each) == row(pawn) for each in beside):
            yield f"pawn beside another {at}"
        if not is_passed(pawn):
            continue
        yield f"passed pawn {at}"
        if any(abs(row(each) - row(pawn)) <= 1 and is_passed(each) for each in beside):
            yield f"passed pawn with another {at}"
        if board.piece_at(ahead):
            yield f"passed pawn stopped {at}"
        elif ahead not in guarded:
            yield f"passed pawn unhindered {at}"
        if not any(board.piece_at(square) or square in guarded for square in range(ahead, 64, 8)):
            yield f"passed pawn running {at}"
        for whose, text in ((True, "a rook behind"), (False, "the other's rook behind")):
            if any(column(rook) == column(pawn) and rook < pawn for rook in board.pieces(chess.ROOK, whose)):
                yield f"passed pawn with {text}"
        for whose, text in ((True, "its"), (False, "the other")):
            far = chess.square_distance(board.king(whose) or 0, ahead)
            for _ in range(row(pawn)):
                yield f"row of a passed pawn {far} from {text} king"


def shelter(board: chess.Board) -> Iterator[str]:
    """The first pawns before White's king."""
    king = board.king(True)
    assert king is not None
    middle = min(max(column(king), 1), 6)
    for place, whose in product(range(middle - 1, middle + 2), (True, False)):
        before = [
            row(pawn) for pawn in board.pieces(chess.PAWN, whose) if column(pawn) == place and row(pawn) >= row(king)
        ]
        text = f"on row {min(before) + 1}" if before and min(before) else "none"
        if whose:
            yield f"pawns on {'the king' + chr(39) + 's' if place == column(king) else 'the next'} column: {text}"
        else:
            yield f"pawns against the king: {text}"


def danger(board: chess.Board) -> int:
    """How hard White presses Black's king."""
    king = board.king(False)
    assert king is not None
    near = set(chess.SquareSet(chess.BB_KING_ATTACKS[king]))
    zone = near | {square - 8 for square in near if square >= 8}
    heavy = {chess.KNIGHT: 3, chess.BISHOP: 2, chess.ROOK: 2, chess.QUEEN: 2}
    aims = [
        (heavy[kind], len(zone & set(board.attacks(square))))
        for kind in PIECES
        for square in board.pieces(kind, True)
        if zone & set(board.attacks(square))
    ]
    if not aims:
        return 0
    held = hits(board, False, chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK)
    weak = near & hits(board, True, chess.PAWN, *PIECES) - held
    safe = set(chess.SQUARES) - hits(board, False, *KINDS) - set(chess.SquareSet(board.occupied_co[True]))
    total = len(aims) * sum(weight for weight, _ in aims) + 2 * sum(count for _, count in aims) + 5 * len(weak)
    columns = range(4) if column(king) < 3 else range(2, 6) if column(king) < 5 else range(4, 8)
    total += sum(row(square) >= 3 and column(square) in columns for square in hits(board, True, chess.PAWN, *PIECES))
    bare = board.copy()
    for kind, worth in ((chess.KNIGHT, 20), (chess.BISHOP, 15), (chess.ROOK, 25), (chess.QUEEN, 20)):
        bare.set_piece_at(king, chess.Piece(kind, False))
        total += worth * bool(set(bare.attacks(king)) & safe & hits(board, True, kind))
    unsafe = set[int]()
    for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK):
        bare.set_piece_at(king, chess.Piece(kind, False))
        unsafe |= set(bare.attacks(king)) & hits(board, True, kind) - safe - set(
            chess.SquareSet(board.occupied_co[True])
        )
    total += 3 * len(unsafe) - UNTOUCHED
    if near & hits(board, False, chess.KNIGHT):
        total -= GUARD
    if not board.pieces(chess.QUEEN, True):
        total -= QUEENLESS
    return max(0, min(total // 4, MOST_DANGER))


def threats(board: chess.Board) -> Iterator[str]:
    """Black's pieces and pawns that White hits."""
    light = hits(board, True, chess.KNIGHT, chess.BISHOP)
    hit, by_rooks = hits(board, True, *PIECES), hits(board, True, chess.ROOK)
    by_pawns, by_king = hits(board, True, chess.PAWN), hits(board, True, chess.KING)
    guarded, by_their_pawns = hits(board, False, *KINDS), hits(board, False, chess.PAWN)
    pushed = set[int]()
    for pawn in board.pieces(chess.PAWN, True):
        for step in (8, 16) if row(pawn) == 1 else (8,):
            if board.piece_at(pawn + step):
                break
            if pawn + step not in by_their_pawns and (pawn + step in hit | by_pawns or pawn + step not in guarded):
                pushed |= set(chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.WHITE][pawn + step]))
    for square in hit - by_their_pawns:
        if board.piece_at(square) == chess.Piece(chess.PAWN, False):
            yield "pawns hit that no pawn guards"
    for kind in PIECES:
        for square in board.pieces(kind, False):
            if square in by_pawns:
                yield "pieces hit by pawns"
            elif square in pushed:
                yield "pieces that a pawn may come to hit"
            if kind >= chess.ROOK and (square in light or (kind == chess.QUEEN and square in by_rooks)):
                yield "rooks and queens hit by less"
            if square in hit - by_their_pawns:
                yield "pieces hit that no pawn guards"
            if square in (hit | by_king) - guarded:
                yield "pieces hit that nothing guards"


def expected(board: chess.Board) -> dict[str, float]:
    """All features that are not 0."""
    mine, theirs = white_has(board), white_has(board.mirror())
    mine["the move"] += board.turn
    theirs["the move"] += not board.turn
    count = {kind: len(board.pieces(kind, True)) + len(board.pieces(kind, False)) for kind in PIECES}
    light, queens = count[chess.KNIGHT] + count[chess.BISHOP], count[chess.QUEEN]
    many = min(light + 2 * count[chess.ROOK] + 4 * queens, 24) / 24
    more = {name: mine[name] - theirs[name] for name in {*mine, *theirs}}
    ahead = sum(WEIGHTS[f"{name}, few pieces"] * often for name, often in more.items()) > 0
    shares = {"many pieces": many, "few pieces": (1 - many) * winnable(board, ahead) / 64}
    told = {f"{name}, {when}": share * often for name, often in more.items() for when, share in shares.items()}
    return {name: value for name, value in told.items() if value}


def power(board: chess.Board, whose: chess.Color) -> int:
    """What somebody's pieces are worth, besides pawns and king."""
    return sum(worth * len(board.pieces(kind, whose)) for kind, worth in zip(PIECES, (3, 3, 5, 9), strict=True))


def winnable(board: chess.Board, ahead: chess.Color) -> int:
    """How many 64ths of an endgame's advantage count, if this side has it."""
    pawns, bishops = len(board.pieces(chess.PAWN, ahead)), [*board.pieces(chess.BISHOP, ahead)]
    others, more = [*board.pieces(chess.BISHOP, not ahead)], power(board, ahead) - power(board, not ahead)
    if pawns == 0 and more <= 3:
        if power(board, ahead) < 5:
            return 0
        return 4 if power(board, not ahead) <= 3 else 14
    colours = {(chess.square_file(square) + chess.square_rank(square)) % 2 for square in (*bishops, *others)}
    if len(bishops) == len(others) == 1 and len(colours) == 2:
        if power(board, ahead) == power(board, not ahead) == 3:
            return 22 + 4 * pawns
        return 22 + 3 * chess.popcount(board.occupied_co[ahead])
    return min(64, 36 + 7 * pawns)


def test_what_counts_is_what_a_slow_count_finds() -> None:
    seen = set[str]()
    for board in positions(1, 150):
        state = GAME.parse_state(board.fen())
        told = {name: value for name, value in zip(NAMES, GAME.features(state), strict=True) if abs(value) > 1e-9}
        assert told == pytest.approx(expected(board)), board.fen()
        seen |= set(told)
    assert len(seen) > 550, "most things come up"


def endgames(seed: int, count: int) -> Iterator[chess.Board]:
    """Legal positions with kings, up to three pieces a side, and a few pawns."""
    luck = random.Random(seed)
    while count:
        board = chess.Board(None)
        squares = luck.sample(range(8, 56), 12)
        for whose in chess.COLORS:
            pieces = [chess.KING, *luck.choices(PIECES, k=luck.randrange(4)), *[chess.PAWN] * luck.randrange(3)]
            for kind in pieces:
                board.set_piece_at(squares.pop(), chess.Piece(kind, whose))
        if board.is_valid() and not board.is_game_over():
            count -= 1
            yield board


def test_endgames_count_by_how_far_they_can_be_won() -> None:
    seen = Counter[int]()
    for board in endgames(3, 300):
        state = GAME.parse_state(board.fen())
        told = {name: value for name, value in zip(NAMES, GAME.features(state), strict=True) if abs(value) > 1e-9}
        assert told == pytest.approx({name: each for name, each in expected(board).items() if abs(each) > 1e-9})
        seen.update({winnable(board, chess.WHITE), winnable(board, chess.BLACK)})
    assert {0, 4, 14, 26, 36, 43, 50} <= set(seen)


@pytest.mark.parametrize(
    ("fen", "least", "most"),
    [
        ("8/8/4k3/4b3/8/8/R3K3/8 w - - 0 1", 0.0, 0.7),
        ("8/8/4k3/8/3r4/8/R3K2N/8 w - - 0 1", 0.0, 1.5),
        ("8/5k2/8/8/8/8/2Q1K3/4r3 w - - 0 1", 2.0, 9.0),
        ("8/4kp2/3b2p1/8/4P3/3P2P1/4K3/5B2 w - - 0 1", -0.5, 1.0),
    ],
)
def test_little_is_won_without_pawns(fen: str, least: float, most: float) -> None:
    assert least <= GAME.evaluate(GAME.parse_state(fen), 0) <= most


def test_the_evaluation_is_features_times_weights_and_fair_to_both_sides() -> None:
    for board in positions(2, 60):
        state, turned = GAME.parse_state(board.fen()), GAME.parse_state(board.mirror().fen())
        worth = GAME.evaluate(state, 0)
        assert worth == pytest.approx(weighted(GAME.features(state), GAME.weights), abs=0.05)
        assert GAME.evaluate(state, 1) == -worth == GAME.evaluate(turned, 0)
