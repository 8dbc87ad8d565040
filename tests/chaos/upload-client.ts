import { bytesFrom, sending } from './upload-file.ts'

// A client that sends the beginning of a large file, and then waits until it is killed.

const [url = '', end = '', ...named] = process.argv.slice(2)
const headers = Object.fromEntries(named.map((header) => header.split(': ') as [string, string]))
await fetch(url, { method: 'PATCH', headers, body: sending(bytesFrom(0, Number(end)), new Promise(() => {})) })
