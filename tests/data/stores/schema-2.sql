CREATE TABLE plywise_schema (version INTEGER NOT NULL);
CREATE TABLE plywise_games (
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    game TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    moves INTEGER NOT NULL,
    result TEXT,
    owner TEXT NOT NULL,
    seat1 TEXT,
    seat2 TEXT,
    created DOUBLE PRECISION NOT NULL,
    updated DOUBLE PRECISION NOT NULL,
    text TEXT NOT NULL,
    turn_began DOUBLE PRECISION,
    PRIMARY KEY (id)
);
CREATE INDEX ix_plywise_games_owner ON plywise_games (owner);
CREATE INDEX ix_plywise_games_seat1 ON plywise_games (seat1);
CREATE INDEX ix_plywise_games_seat2 ON plywise_games (seat2);
CREATE INDEX ix_plywise_games_turn_began ON plywise_games (turn_began);
CREATE TABLE plywise_keys (
    name TEXT NOT NULL,
    secret TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE plywise_alive (seen DOUBLE PRECISION);
INSERT INTO plywise_alive VALUES (1700000300.0);
INSERT INTO plywise_schema VALUES (2);
INSERT INTO plywise_games VALUES (
    'AAAAAAAAAAAAAAAAAAAAAA', 3, 'tictactoe', 'human', 'human', 2, NULL,
    'anne', 'anne', 'bob', 1700000000.5, 1700000100.25,
    'plywise game 1
; the clock of this game is a note
game    tictactoe
first   human
second  human
seed    7

1. b2  1.500 s
2. a1  ; a corner
end
', NULL);
INSERT INTO plywise_games VALUES (
    'BBBBBBBBBBBBBBBBBBBBBB', 2, 'connect4', 'human', 'human', 1, NULL,
    'anne', 'anne', NULL, 1700000000.5, 1700000200.75,
    'plywise game 1
game    connect4
first   human
second  human
clock   300 + 2
seed    1

1. 4  2.000 s
end
', 1700000200.75);
INSERT INTO plywise_games VALUES (
    'CCCCCCCCCCCCCCCCCCCCCC', 2, 'tictactoe', 'human', 'human', 0,
    'player 2 wins, resigned: player 1 resigned',
    'bob', 'bob', 'bob', 1700000000.5, 1700000300.0,
    'plywise game 1
game    tictactoe
first   human
second  human
clock   7 a move
seed    1

result  player 2 wins, resigned: player 1 resigned
end
', NULL);
INSERT INTO plywise_games VALUES (
    'DDDDDDDDDDDDDDDDDDDDDD', 2, 'connect4', 'human', 'human', 1, NULL,
    'cleo', 'cleo', 'dave', 1700000000.5, 1700000250.0,
    'plywise game 1
game    connect4
first   human
second  human
clock   300 + 2
seed    1

1. 4  2.000 s
end
', 1700000250.0);
INSERT INTO plywise_games VALUES (
    'EEEEEEEEEEEEEEEEEEEEEE', 2, 'connect4', 'human', 'human', 0, NULL,
    'cleo', 'cleo', 'dave', 1700000000.5, 1700000260.0,
    'plywise game 1
game    connect4
first   human
second  human
clock   300 + 2
seed    1

end
', 1700000260.0);
