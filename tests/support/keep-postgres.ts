import { createTemplate } from './database.ts'
import { startTestPostgres } from './postgres.ts'

// Keeps a test server with its template for the process that started this one, until that process ends.
const server = await startTestPostgres()
await createTemplate(server.adminUrl)
console.log(server.adminUrl)
for await (const _ of Bun.stdin.stream());
await server.stop()
