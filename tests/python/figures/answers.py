"""Explorer and statistics, as queries over the tables of `load`."""

import json

from . import load, spread


def answer(database, program, question):
    """The expected answer of GraphQL."""
    select(database, question["kind"], question["filter"] or {}, question["field"] == "explore")
    if question["field"] == "explore":
        return explore(database, program, question)
    return statistics(database, question["kind"])


def normal(question):
    """An answer in the form used here, with members that matter."""
    found = question["answer"]
    for action in found.get("actions", []) + found.get("firstActions", []):
        action["lastMs"] = load.millis(action.pop("lastPlayed"))
    if question["field"] == "statistics":
        # The order of equally frequent actions is arbitrary.
        games = [action["games"] for action in found["firstActions"]]
        assert games == sorted(games, reverse=True), games
        found["firstActions"].sort(key=lambda action: (-action["games"], action["action"], action["positionKey"]))
        found["luck"] = found["luck"] or None
        found["heat"] = {what: {name: told[name] for name in ("total", "max", "places")}
                         for what, told in found["heat"].items()}
    return found


def select(database, kind, filter, is_explorer):
    """Puts the games that a filter accepts into the table `chosen`, which all other queries use."""
    where, values = ["g.kind = ?"], [kind]

    def add(condition, *more):
        where.append(condition)
        values.extend(more)

    if is_explorer or filter.get("status") != "VOID":
        add("g.status <> 'VOID'")
    if is_explorer:
        add("g.folded")
    players = [filter["player"]] if "player" in filter else []
    players += filter.get("players", [])
    for player in players:
        add("exists (select 1 from seats s where s.game = g.game and s.player = ?)", player)
    if "seat" in filter:
        add("exists (select 1 from seats s where s.game = g.game and s.seat = ?)", filter["seat"])
        if players:
            add("exists (select 1 from seats s where s.game = g.game and s.seat = ? and s.player = ?)",
                filter["seat"], players[0])
    if "winner" in filter:
        add("g.status <> 'VOID' and exists (select 1 from winners w join seats s on s.game = w.game and s.seat = w.seat"
            " where w.game = g.game and s.player = ?)", filter["winner"])
    for tag in filter.get("tags", []):
        name, is_valued, value = tag.partition("=")
        more = " and t.value = ?" if is_valued else ""
        add(f"exists (select 1 from tags t where t.game = g.game and t.name = ?{more})", name,
            *([value] if is_valued else []))
    for name, value in filter.get("setup", {}).items():
        add("exists (select 1 from members m where m.game = g.game and m.name = ? and m.value = ?)", name,
            load.canonical(value))
    columns = {"status": "g.status = ?", "tournament": "g.tournament = ?", "reason": "g.reason = ?",
               "minPly": "g.ply >= ?", "maxPly": "g.ply <= ?", "since": "g.created >= ?", "until": "g.created < ?"}
    for name, condition in columns.items():
        if name in filter:
            add(condition, load.millis(filter[name]) if name in ("since", "until") else filter[name])
    database.execute("drop table if exists chosen")
    database.execute(f"create temp table chosen as select g.* from games g where {' and '.join(where)}", values)


def explore(database, program, question):
    setup = json.dumps(question["setup"] or {})
    line = load.fold(program, question["kind"], setup, question["actions"] or [])[-1]
    seats = load.KINDS[question["kind"]].SEATS_MAX
    database.execute("drop table if exists here")
    database.execute("create temp table here as select p.game, p.word, c.created, c.finished, c.ply"
                     " from plies p join chosen c on c.game = p.game where p.key = ?", (line["key"],))
    newest = "select distinct game, finished, ply from here order by created desc, game desc limit"
    return {
        "position": {"positionKey": line["key"]},
        "games": one(database, "select count(distinct game) from here"),
        "results": results(database, "select distinct game from here", seats),
        "actions": actions(database, "select word, null, game, created from here where word is not null", seats),
        "recentGames": [{"id": game} for game, *_ in rows(database, f"{newest} 10")],
    }


def statistics(database, kind):
    seats = load.KINDS[kind].SEATS_MAX
    known = "select * from chosen where folded"
    branching = (f"select avg(choices) from plies where choices > 0 and game in (select game from ({known}))"
                 " group by game")
    of_all = {
        "length": "select ply from chosen",
        "branchingFactor": branching,
        "takebacks": f"select takebacks from ({known})",
    }
    own = "select value from measures where name = ? and value is not null and game in (select game from chosen)"
    names = list(of_all) + load.KINDS[kind].MEASURES
    measures = [spread.of(database, of_all.get(name, own), () if name in of_all else (name,)) for name in names]
    first = "select p.word, n.key, p.game, c.created from plies p join chosen c on c.game = p.game" \
            " join plies n on n.game = p.game and n.ply = 1 where p.ply = 0"
    return {
        "games": one(database, "select count(*) from chosen"),
        "finished": one(database, "select count(*) from chosen where finished is not null"),
        "results": results(database, "select game from chosen", seats),
        "plies": spread.of(database, "select ply from chosen"),
        "durationMs": spread.of(database, "select finished - created from chosen where finished is not null"),
        "branching": spread.of(database, branching),
        "reasons": counts(database, "reason", "finished is not null", "2 desc, 1"),
        "byMonth": counts(database, "strftime('%Y-%m', created / 1000, 'unixepoch')", "true", "1"),
        "firstActions": actions(database, first, seats)[:200],
        "measures": [
            {"name": name, "value": measure["mean"], "distribution": measure if measure["count"] else None}
            for name, measure in zip(names, measures)
        ],
        "luck": luck(database, kind, seats),
        "heat": {what: heat(database, what) for what in load.KINDS[kind].HEAT},
    }


def results(database, games, seats):
    """Games by winner; void and running ones have no result."""
    counted = f"select c.game from ({games}) g join chosen c on c.game = g.game where c.status = 'FINISHED'"
    won = dict(rows(database, f"select seat, count(*) from winners where game in ({counted}) group by seat"))
    drawn = one(database, f"select count(*) from ({counted}) where game not in (select game from winners)")
    all = one(database, f"select count(*) from ({games})")
    return {"wins": [won.get(seat + 1, 0) for seat in range(seats)], "draws": drawn,
            "other": all - one(database, f"select count(*) from ({counted})")}


def actions(database, played, seats):
    """What was played, most frequent first: `played` selects word, key, game and its creation."""
    database.execute("drop table if exists played")
    database.execute("create temp table played (word, key, game, created)")
    database.execute(f"insert into played select distinct * from ({played})")
    found = rows(database, "select word, key, count(distinct game) games, max(created) from played group by word, key"
                 " order by games desc, word, key")
    listed = []
    for word, key, games, last in found:
        which = f"select distinct game from played where word = {quoted(word)} and key is {quoted(key)}"
        told = {"action": word, "games": games, "results": results(database, which, seats), "lastMs": last}
        listed.append(told | ({"positionKey": key} if key else {}))
    return listed


def luck(database, kind, seats):
    if not load.KINDS[kind].LUCK:
        return None
    of = "select seat, sum(count), sum(expected) / 1e6, sum(actual) from luck where name = ? and game in" \
         " (select game from chosen) group by seat"
    told = {}
    for name in load.KINDS[kind].LUCK:
        by_seat = {seat: sums for seat, *sums in rows(database, of, (name,))}
        told[name] = [dict(zip(("seat", "count", "expected", "actual"), (seat, *by_seat.get(seat, (0, 0, 0)))))
                      for seat in range(1, seats + 1)]
    return told


def heat(database, what):
    of = "select place, sum(count) from heat where what = ? and game in (select game from chosen) group by place"
    places = dict(rows(database, of, (what,)))
    return {"total": sum(places.values()), "max": max(places.values(), default=0), "places": places}


def counts(database, key, where, order):
    found = rows(database, f"select {key} key, count(*) from chosen where {where} group by key order by {order}")
    return [{"key": key, "count": count} for key, count in found]


def quoted(text):
    return "null" if text is None else "'" + text.replace("'", "''") + "'"


def rows(database, query, values=()):
    return database.execute(query, values).fetchall()


def one(database, query, values=()):
    return database.execute(query, values).fetchone()[0]
