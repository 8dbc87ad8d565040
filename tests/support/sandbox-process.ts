import { serveSandbox } from '../../src/social/sandbox/server.ts'

// The sandbox network for chaos tests: it lives on when servers are killed.
const [, , url = ''] = process.argv
console.log(serveSandbox({ url, port: 0 }).url)
