import type { TransactionSql } from 'postgres'

export async function* copyOut(sql: TransactionSql, statement: string): AsyncGenerator<Buffer> {
  const stream = await sql.unsafe(statement).readable()
  yield* stream
  // postgres.js pauses its socket for a slow reader, and doesn't resume it when the last bytes arrived in the meantime.
  stream._read(0) // oxlint-disable-line eslint/no-underscore-dangle
}

export async function copyIn(sql: TransactionSql, statement: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const query = sql.unsafe(statement)
  const stream = await query.writable()
  const done = Promise.withResolvers<void>()
  // Once a query has returned its stream, postgres.js reports errors to the query only.
  void Object.assign(query, { reject: done.reject })
  stream.on('error', done.reject).on('finish', done.resolve)
  const write = (chunk: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      stream.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  const feed = async () => {
    for await (const chunk of bytes) await write(chunk)
    stream.end()
  }
  try {
    await Promise.all([done.promise, Promise.race([done.promise, feed()])])
  } catch (error) {
    stream.destroy() // Otherwise the connection would wait for more rows.
    throw error
  }
}
