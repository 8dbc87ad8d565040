import { afterAll, beforeAll, expect, test } from 'bun:test'
import { playRound } from '../payments/conserved.ts'
import { startServers, type Servers } from '../payments/conserved/servers.ts'
import { scaleTime } from '../support/time-scale.ts'

const long = process.env['TEST_LONG'] === 'true'
const histories = 60
const rounds = long ? 17 : 1
const firstSeed = Number(process.env['PAYMENTS_SEED'] ?? Math.floor(Math.random() * 100_000))

let servers: Servers

beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.stop())

test.each(Array.from({ length: rounds }, (_, round) => firstSeed + round))(
  'PAY-12 money is conserved by three servers that are killed while the provider fails (PAYMENTS_SEED=%d)',
  async (seed) => {
    const found = await playRound(servers, { seed, histories, kills: 2, settleMs: 60_000 })
    expect(found).toEqual([])
  },
  scaleTime(180_000),
)
