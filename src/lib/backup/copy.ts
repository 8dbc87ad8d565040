import type { TransactionSql } from 'postgres'

/** What COPY … TO STDOUT gives, as it comes. */
export async function* copyOut(sql: TransactionSql, statement: string): AsyncGenerator<Buffer> {
  const stream = await sql.unsafe(statement).readable()
  yield* stream
  // postgres.js pauses its socket when the reader is slow, and forgets to go on when the last bytes came meanwhile.
  stream._read(0) // oxlint-disable-line eslint/no-underscore-dangle
}

/** Gives these bytes to COPY … FROM STDIN. @throws what PostgreSQL says of them */
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
    stream.destroy() // Else the connection would wait for more rows.
    throw error
  }
}
