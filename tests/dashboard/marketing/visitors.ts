import postgres from 'postgres'
import { freshDatabase } from '../../support/database.ts'
import { serveInProcess } from '../../support/serve-in-process.ts'

export interface Visitors {
  fetch(route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  fetchJson<Answer>(route: string, body?: unknown, status?: number): Promise<Answer>
  /** As a browser without scripts sends a form. */
  submit(path: string, fields: Record<string, string>): Promise<Response>
  /** Rows of the inbox, oldest first. */
  stored(where: { kind?: string; message?: string }): Promise<Record<string, unknown>[]>
  /** Subjects, oldest first. */
  mailsTo(email: string): Promise<string[]>
  /** Lets everything of an address expire. */
  expire(email: string): Promise<void>
  close(): Promise<void>
}

/** A server with a listener of its own, and visitors without accounts; addresses come from a proxy. */
export async function openVisitors(env: Record<string, string> = {}): Promise<Visitors> {
  const database = await freshDatabase()
  const server = await serveInProcess({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '1', ...env } })
  const sql = postgres(database.url, { max: 1 })
  const send: Visitors['fetch'] = (route, body, headers = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const isText = typeof body === 'string'
    return fetch(server.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && !isText && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
  }
  return {
    fetch: send,
    fetchJson: async (route, body, status = 200) => {
      const response = await send(route, body)
      if (response.status !== status) throw new Error(`${route} answered ${response.status}: ${await response.text()}`)
      return response.json()
    },
    submit: (path, fields) =>
      send(`POST ${path}`, new URLSearchParams(fields).toString(), {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-site': 'same-origin',
      }),
    stored: async ({ kind = null, message = null }) =>
      sql`SELECT kind, topics, name, email, message, state FROM dashboard.inquiries
        WHERE (${kind}::text IS NULL OR kind = ${kind}) AND (${message}::text IS NULL OR message = ${message})
        ORDER BY id`,
    mailsTo: async (email) => {
      const rows = await sql<
        { subject: string }[]
      >`SELECT subject FROM platform.mails WHERE recipient = ${email} ORDER BY id`
      return rows.map(({ subject }) => subject)
    },
    expire: async (email) => {
      await sql`UPDATE dashboard.inquiries SET expires_at = now() WHERE email = ${email}`
    },
    close: async () => {
      await sql.end()
      await server.stop()
      await database.drop()
    },
  }
}
