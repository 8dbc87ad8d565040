import postgres, { type TransactionSql } from 'postgres'
import { connect, databaseFailure } from '#lib/postgres/connect.ts'

/** Runs a transaction on its own connection, with settings that make the text format of values portable. */
export async function inTransaction<Result>(
  url: string,
  options: string,
  run: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const { sql } = await connect(url)
  try {
    return await sql
      .begin(options, async (tx) => {
        for (const setting of [
          "datestyle = 'ISO'",
          "intervalstyle = 'postgres'",
          'extra_float_digits = 1',
          'statement_timeout = 0',
        ])
          await tx.unsafe(`SET LOCAL ${setting}`)
        return { result: await run(tx) }
      })
      .then(({ result }) => result)
  } catch (error) {
    throw error instanceof postgres.PostgresError ? databaseFailure(error, sql) : error
  } finally {
    await sql.end({ timeout: 5 })
  }
}
