"""The tables of a crawl in rounds, and the queries between them, in the SQL that all engines share.

Versions of `frontier`, `hosts` and `robots` stand in `state/rounds/N`, one for each committed round; `seen`, `known` and
`skipped` grow by a piece a round. Keys are the 64-bit keys of URLs, signed.
"""

import pyarrow as pa

from garimpo.crawl.state.entry import LATER

QUEUED = pa.schema(
    [
        ("host", pa.string()),
        ("key", pa.int64()),
        ("score", pa.float64()),
        ("seq", pa.int64()),
        ("url", pa.string()),
        ("depth", pa.int64()),
        ("parent", pa.string()),
        ("tries", pa.int64()),
        ("hops", pa.int64()),
        ("kind", pa.int64()),
        ("run", pa.int64()),
    ]
)
"""A URL that waits, as the queue of a crawl holds it; `seq` is the round it was met in."""
HOSTS = pa.schema(
    [
        ("host", pa.string()),
        ("site", pa.string()),
        ("address", pa.string()),
        ("delay", pa.float64()),
        ("next_at", pa.float64()),
        ("fetched", pa.int64()),
        ("errors", pa.int64()),
    ]
)
ROBOTS = pa.schema(
    [("origin", pa.string()), ("host", pa.string()), ("at", pa.float64()), ("status", pa.int64()), ("body", pa.binary())]
)
SEEN = pa.schema([("key", pa.int64())])
JUDGED = pa.schema([*QUEUED, ("site", pa.string()), ("reason", pa.string()), ("rule", pa.string())])
"""URLs met for the first time; with a reason those that stay outside."""
PLACED = pa.schema([("host", pa.string()), ("site", pa.string()), ("address", pa.string()), ("part", pa.int64())])
"""Where hosts are: all hosts of an address are of one part, and a part is fetched by one worker."""
SKIPPED = pa.schema([("url", pa.string()), ("key", pa.int64()), *[(name, pa.string()) for name in ("reason", "rule", "parent")]])
KNOWN = pa.schema(
    [("host", pa.string()), ("kind", pa.string()), ("name", pa.string()), ("body", pa.binary()), ("round", pa.int64())]
)
"""What workers must know of a host (`known`): rows of its state, each under its name; without a body it is gone."""
KNOWN_ROW, KNOWN_TEXT = 4, 5
"""In `GIVEN`, beside the kinds of entries: a row of `KNOWN`, its kind as `url`, its name as `parent`; and the text of a page that
was kept, with the page's title as `parent`."""
TEXTS = 1_000
"""So many of them of a host, the newest."""
GIVEN = pa.schema(
    [
        ("part", pa.int64()),
        *QUEUED,
        *[field for field in HOSTS if field.name != "host"],
        ("at", pa.float64()),
        ("status", pa.int64()),
        ("body", pa.binary()),
        ("text", pa.string()),
    ]
)
"""What a worker is given: URLs to fetch with their hosts, the robots.txt files known (kind `ROBOTS`), and what it must know of
the hosts of their sites (kinds `KNOWN_ROW` and `KNOWN_TEXT`)."""
DONE = pa.schema([("task", pa.string()), ("figures", pa.string())])
"""What a worker says when it has ended: the name of its files, and figures as JSON."""

KEYS = "select distinct key from queued"
WAITING_HOSTS = """
select q.host, min(h.address) as address from frontier q left join hosts h on q.host = h.host
where coalesce(h.next_at, 0.0) <= {until} group by q.host"""

SELECT = """
select part, host, key, score, seq, url, depth, parent, tries, hops, kind, run, site, address, delay, next_at, fetched, errors,
       cast(null as double) as at, cast(null as bigint) as status, cast(null as binary) as body
from (
  select r.*, row_number() over (partition by r.address order by r.score desc, r.seq, r.key) as of_address,
         row_number() over (partition by r.site order by r.score desc, r.seq, r.key) as of_site
  from (
    select p.part, p.site, p.address, q.*, coalesce(h.delay, {delay}) as delay, coalesce(h.next_at, 0.0) as next_at,
           coalesce(h.fetched, 0) as fetched, coalesce(h.errors, 0) as errors, coalesce(s.fetched, 0) as site_fetched,
           row_number() over (partition by q.host order by q.score desc, q.seq, q.key) as of_host
    from frontier q join placed p on q.host = p.host left join hosts h on q.host = h.host
    left join (select site, cast(sum(fetched) as bigint) as fetched from hosts group by site) s on p.site = s.site
  ) r
  where of_host <= case when r.delay > 0 then greatest(1.0, {seconds} / r.delay) else {most} end
    and ({per_host} = 0 or of_host + r.fetched <= {per_host})
) a
where of_address <= {of_address} and ({per_site} = 0 or of_site + a.site_fetched <= {per_site})
  {sure}
{limit}"""

SURE = "and (score >= 0 or not exists (select 1 from frontier f where f.score >= 0))"
"""With a budget in pages nothing is spent on what is postponed while there is anything else."""

NOTHING = """cast(null as string), cast(null as double), cast(null as double), cast(null as bigint), cast(null as bigint)"""

GIVE = f"""
with asked as (
  select distinct s.part, h.host from (select distinct part, site from selected) s join hosts h on s.site = h.site
  union select distinct part, host from selected
)
select *, cast(null as string) as text from selected
union all
select s.part, r.host, cast(0 as bigint), cast(0.0 as double), cast(0 as bigint), r.origin, cast(0 as bigint),
       cast(null as string), cast(0 as bigint), cast(0 as bigint), cast({{robots}} as bigint), cast(0 as bigint),
       cast(null as string), s.address, cast(null as double), cast(null as double), cast(null as bigint), cast(null as bigint),
       r.at, r.status, r.body, cast(null as string)
from robots r join (select distinct part, host, address from selected) s on r.host = s.host
where r.at > {{oldest}}
union all
select part, host, cast(0 as bigint), cast(0.0 as double), cast(0 as bigint), kind, cast(0 as bigint),
       name, cast(0 as bigint), cast(0 as bigint), cast({KNOWN_ROW} as bigint), cast(0 as bigint),
       cast(null as string), {NOTHING}, cast(null as double), cast(null as bigint), body, cast(null as string)
from (
  select a.part, k.host, k.kind, k.name, k.body,
         row_number() over (partition by a.part, k.host, k.kind, k.name order by k.round desc) as place
  from known k join asked a on k.host = a.host
) v
where place = 1 and body is not null
union all
select part, host, cast(0 as bigint), cast(0.0 as double), place, url, cast(0 as bigint),
       title, cast(0 as bigint), cast(0 as bigint), cast({KNOWN_TEXT} as bigint), cast(0 as bigint),
       cast(null as string), {NOTHING}, cast(null as double), cast(null as bigint), cast(null as binary), text
from (
  select a.part, p.host, p.url, p.title, p.text,
         row_number() over (partition by a.part, p.host order by p.fetched_at desc, p.url) as place
  from pages p join asked a on p.host = a.host
  where p.status = 200 and p.text is not null and p.duplicate_of is null
) t
where place <= {TEXTS}"""

NEW = """
select host, key, best as score, seq, url, depth, parent, tries, hops, kind, run from (
  select m.*, max(m.score) over (partition by m.key) as best,
         row_number() over (partition by m.key order by m.depth, m.hops, m.parent) as place
  from met m
) n
where place = 1 and not exists (select 1 from seen s where s.key = n.key)"""

ADMITTED = "select host, key, score, seq, url, depth, parent, tries, hops, kind, run from judged where reason is null"

FRONTIER = f"""
select f.host, f.key,
       greatest(f.score, coalesce(m.score, f.score) - case when f.score < 0 and m.score >= 0 then {LATER} else 0 end) as score,
       f.seq, f.url, f.depth, f.parent, f.tries, f.hops, f.kind, f.run
from frontier f left join (select key, max(score) as score from met group by key) m on f.key = m.key
where not exists (select 1 from selected s where s.key = f.key)
union all select host, key, score, seq, url, depth, parent, tries, hops, kind, run from still
union all {ADMITTED}"""

OUTSIDE = "select url, key, reason, rule, parent from judged where reason is not null"

NEWER_HOSTS = """
select * from asked union all
select h.* from hosts h where not exists (select 1 from asked a where a.host = h.host)"""

NEWER_ROBOTS = """
select * from read union all
select r.* from robots r where r.at > {oldest} and not exists (select 1 from read n where n.origin = r.origin)"""
