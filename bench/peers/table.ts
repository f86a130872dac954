import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** The users of the peers: the columns that our list of users reads, and the index that serves it. */
const TABLE = `
  CREATE TABLE people (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    company_id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL DEFAULT 'PLAYER',
    email text,
    external_id text,
    date_created timestamptz NOT NULL DEFAULT now(),
    date_modified timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    date_archived timestamptz
  );
  CREATE INDEX people_by_company ON people (company_id, id)`

/** The companies of a peer, and one of its users. */
export interface People {
  url: string
  /** A company of a thousand users. */
  large: string
  /** The companies over which creates are spread. */
  companies: string[]
  /** A user of the large company. */
  person: string
}

/** Creates a database on the server of a URL, with as many companies and users as the world of our service. */
export async function newPeople(serverUrl: string, name: string, companies: number): Promise<People> {
  const run = async (url: string, statements: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client(url)
    await client.connect()
    await statements(client).finally(() => client.end())
  }
  await run(serverUrl, async (client) => void (await client.query(`CREATE DATABASE ${name}`)))
  // The URL of a socket has no host, so it is no URL for the class of that name.
  const url = serverUrl.replace(/\/guildhall(?=\?|$)/, `/${name}`)
  const people: People = {
    url,
    large: randomUUID(),
    companies: Array.from({ length: companies }, () => randomUUID()),
    person: '',
  }
  await run(people.url, async (client) => {
    await client.query(TABLE)
    const { rows } = await client.query(
      `INSERT INTO people (company_id, name) SELECT $1, 'Player ' || n FROM generate_series(1, 1000) AS n RETURNING id`,
      [people.large],
    )
    people.person = rows[0].id
    await client.query(`INSERT INTO people (company_id, name) SELECT unnest($1::uuid[]), 'Player' FROM generate_series(1, 2)`, [
      people.companies,
    ])
    await client.query('VACUUM ANALYZE people')
  })
  return people
}
