import { settleBatches } from './conserved/batches.ts'
import { playHistory } from './conserved/history.ts'
import { chanceOf, type Chance } from './conserved/random.ts'
import type { Servers } from './conserved/servers.ts'
import { settle } from './conserved/settle.ts'
import { openShop, type Shop } from './conserved/shops.ts'

// Money is conserved: random histories of orders run at once through three servers, of which some are killed, while
// webhooks and responses of the provider get lost. Afterwards the ledger and every order have to be what the provider says.

export interface Round {
  /** Repeats the decisions of a round. */
  seed: number
  histories: number
  kills: number
  /** Until everything has settled after the last history. */
  settleMs: number
}

const shopCount = 6

/** Returns everything that is wrong at the end. */
export async function playRound(servers: Servers, { seed, histories, kills, settleMs }: Round): Promise<string[]> {
  const chance = chanceOf(seed)
  const callbacks = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const shops = await Promise.all(Array.from({ length: shopCount }, (_, at) => openShop(servers, `s${seed}x${at}x`)))
  const playing = { done: false }
  const killing = killSome(servers, chanceOf(seed + 1), kills)
  const disturbing = shops.map((shop, at) => disturb(chanceOf(seed + 2 + at), shop, playing))
  await Promise.all([
    ...Array.from({ length: histories }, (_, at) => {
      const shop = shops[at % shopCount]
      return shop && playHistory(chanceOf(seed * 1_000 + at), shop, `h${seed}-${at}`)
    }),
    ...shops.map((shop, at) =>
      settleBatches(chanceOf(seed + 100 + at), shop, { name: `b${seed}-${at}`, callbackUrl: callbacks.url.href }),
    ),
    killing,
  ])
  playing.done = true
  await Promise.all(disturbing)
  const found = await Promise.all(shops.map((shop) => settle(chance, shop, settleMs)))
  await callbacks.stop(true)
  return [...shops.flatMap(({ faults }) => faults), ...found.flat()]
}

async function killSome(servers: Servers, chance: Chance, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await Bun.sleep(1_000 + chance.upTo(2_000))
    await servers.restart(chance.upTo(servers.urls.length - 1))
  }
}

/** The provider’s bad days, one after the other. */
async function disturb(chance: Chance, shop: Shop, playing: { done: boolean }): Promise<void> {
  while (!playing.done) {
    await shop.behave({
      webhooks: chance.pick(['ok', 'duplicate', 'reorder', 'delay', 'lose']),
      answers: chance.pick(['ok', 'ok', 'ok', 'timeout_after_success', 'fail']),
      payouts: chance.pick(['ok', 'return_late', 'unknown']),
      times: 1 + chance.upTo(3),
    })
    await Bun.sleep(500 + chance.upTo(1_000))
  }
}
