import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Connection = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  password: z.string(),
  database: z.string(),
  pid: z.int(),
})
export type Connection = z.infer<typeof Connection>

const connectionFile = (dataDir: string): string => join(dataDir, 'postgres.json')

export function readConnection(dataDir: string): Connection | undefined {
  try {
    return Connection.parse(JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export function writeConnection(dataDir: string, connection: Connection): void {
  const draft = `${connectionFile(dataDir)}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, connectionFile(dataDir))
}

export const connectionUrl = ({ user, password, host, port, database }: Connection): string =>
  `postgres://${user}:${password}@${host}:${port}/${database}`
