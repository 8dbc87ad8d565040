import { z } from 'zod'
import type { World } from '../support/world.ts'

interface Statement {
  text: string
  values: unknown[]
}

interface Node {
  'Node Type': string
  'Relation Name'?: string | undefined
  'Index Name'?: string | undefined
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number | undefined
  'Rows Removed by Index Recheck'?: number | undefined
  Plans?: Node[] | undefined
}

const Node: z.ZodType<Node> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    Plans: z.array(Node).optional(),
  }),
)
const Explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: Node })) }))

const Unsafe = z.custom<(text: string, values?: unknown[], options?: object) => unknown>(
  (value) => typeof value === 'function',
)

/** Whether a request reads whole tables, and how many rows its queries read, by their plans. */
export interface Reading {
  /** Tables that were read from their beginning to their end. */
  scanned: string[]
  /** Rows that scans returned or dropped, of the query that read the most. */
  rows: number
  /** That query. */
  text: string
}

/** Runs a request, and then every statement that it sent with `EXPLAIN ANALYZE`. Only for requests that change nothing. */
export async function readingOf(world: World, request: () => Promise<unknown>): Promise<Reading> {
  const plans: { text: string; plan: Node }[] = []
  for (const { text, values } of await statementsOf(world, request)) {
    const [found] = Explained.parse(
      await world.database.sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, asSent(values)),
    )
    for (const { Plan: plan } of found?.['QUERY PLAN'] ?? []) plans.push({ text, plan })
  }
  const scanned = plans.flatMap(({ plan }) =>
    nodesOf(plan)
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? ''),
  )
  const counted = plans.map(({ text, plan }) => ({ text, rows: rowsReadBy(plan) }))
  const [most] = counted.toSorted((one, other) => other.rows - one.rows)
  return { scanned: [...new Set(scanned)], rows: most?.rows ?? 0, text: most?.text ?? '' }
}

/** The values were serialized for the wire once already. */
const asSent = (values: readonly unknown[]): string[] => values as string[]

async function statementsOf({ database }: World, request: () => Promise<unknown>): Promise<Statement[]> {
  const client: object = Reflect.get(database.db, '$client')
  const send = Unsafe.parse(Reflect.get(client, 'unsafe'))
  const sent: Statement[] = []
  Reflect.set(client, 'unsafe', (text: string, values: unknown[] = [], options?: object) => {
    if (/^\s*(select|with)\b/i.test(text)) sent.push({ text, values })
    return send.call(client, text, values, options)
  })
  try {
    await request()
  } finally {
    Reflect.set(client, 'unsafe', send)
  }
  return sent
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsReadBy = (plan: Node): number =>
  nodesOf(plan)
    .filter((node) => node['Node Type'].endsWith('Scan') && node['Relation Name'] !== undefined)
    .reduce((sum, node) => {
      const each =
        node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      return sum + each * node['Actual Loops']
    }, 0)
