import { expect, test } from 'bun:test'
import { expectEachOnce } from '../gateway/mail-chaos-check.ts'
import { attemptAll, queueEmails, startChaoticServer } from '../gateway/mail-chaos.ts'
import { openWorld } from '../support/world.ts'

const emails = process.env['TEST_LONG'] === 'true' ? 10_000 : 100
/** Fewer than the retries of an email. */
const maxRounds = 9

test('GTW-41 each email is accepted once while the mail server resets, delays, refuses and is killed', async () => {
  const server = await startChaoticServer(7, 0.12)
  const world = await openWorld({ env: { SMTP_URL: server.url, MAIL_FROM: 'no-reply@mail.atrium.example' } })
  try {
    const ids = await queueEmails(world, emails)
    for (let round = 0; round < maxRounds; round++) if ((await attemptAll(world)) === 0) break
    server.calm()
    await attemptAll(world)
    await expectEachOnce(world, server, ids)
    expect(server.faults.size).toBeGreaterThan(10)
  } finally {
    await world.close()
    await server.stop()
  }
})
