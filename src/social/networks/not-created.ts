import { classifyStepFailure, readRefusal } from './http.ts'
import type { Refusal, Unauthorized } from './network.ts'

/** The network refused a step before the post itself, so no post was created. */
export class NotCreatedError extends Error {
  readonly outcome: Refusal | Unauthorized

  constructor(outcome: Refusal | Unauthorized) {
    super(outcome.message)
    this.outcome = outcome
  }
}

/** A lost response only means that the request has to be sent again. @throws NotCreatedError */
export async function requestStep(network: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    throw new NotCreatedError(classifyStepFailure(network, error))
  }
}

export async function readStepRefusal(network: string, response: Response): Promise<Refusal> {
  const outcome = await readRefusal(network, response)
  return outcome.kind === 'refused' ? outcome : { ...outcome, kind: 'refused', transient: true }
}

export const unexpectedResponse = (network: string): NotCreatedError =>
  new NotCreatedError({
    kind: 'refused',
    code: 'provider_error',
    message: `${network} returned an unexpected response.`,
    transient: true,
  })
