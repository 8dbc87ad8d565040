import { interrupted, refusal } from './http.ts'
import type { Refusal, Unauthorized } from './network.ts'

/** A step before the post itself that the network refused: nothing arrived. */
export class NotMade extends Error {
  readonly outcome: Refusal | Unauthorized

  constructor(outcome: Refusal | Unauthorized) {
    super(outcome.message)
    this.outcome = outcome
  }
}

/** The answer of such a step; one that is lost only means that the step has to be done again. Throws NotMade. */
export async function step(network: string, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask()
  } catch (error) {
    throw new NotMade(interrupted(network, error))
  }
}

/** What a refusal of such a step means. */
export async function refusedStep(network: string, response: Response): Promise<Refusal> {
  const outcome = await refusal(network, response)
  return outcome.kind === 'refused' ? outcome : { ...outcome, kind: 'refused', transient: true }
}

/** An answer of such a step that can't be read. */
export const senseless = (network: string): NotMade =>
  new NotMade({
    kind: 'refused',
    code: 'provider_error',
    message: `${network} returned an unexpected response.`,
    transient: true,
  })
