import type { z } from 'zod'
import type { AccountCheck, Refusal, Unauthorized, Unclear } from './network.ts'

interface Question<Data> {
  ask(): Promise<Response>
  interpretRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear>
  data: z.ZodType<Data>
  read(data: Data): AccountCheck
}

/** Refusals that last until a person does something. */
const lasting = new Set(['permission_missing', 'action_blocked', 'api_version_ended', 'channel_missing'])

/** What a request that only reads says about an account. What doesn’t last, such as a fault, says nothing. */
export async function checkBy<Data>({ ask, interpretRefusal, data, read }: Question<Data>): Promise<AccountCheck> {
  try {
    const response = await ask()
    if (response.ok) return read(data.parse(await response.json()))
    return judgeRefusal(await interpretRefusal(response))
  } catch {
    return { kind: 'unreadable' }
  }
}

export function judgeRefusal(outcome: Refusal | Unauthorized | Unclear): AccountCheck {
  if (outcome.kind === 'unauthorized') return outcome
  const { code, message } = outcome
  return lasting.has(code) ? { kind: 'checked', problem: { code, message } } : { kind: 'unreadable' }
}

export const works: AccountCheck = { kind: 'checked', problem: null }
