import type { Call } from '#lib/call.ts'
import { getActionsWidget } from '../actions/widget.operations.ts'
import { failureOf } from './failure.ts'
import type { Loaded } from './loader.ts'
import { within } from './within.ts'

export const ownSlug = 'platform-dashboard-api'
const name = 'Actions'

/** With the caller’s permissions of all services, which actions depend on: a token for one app has only those of the app. */
export async function loadOwnWidget({ ask, now }: Pick<Call, 'ask' | 'now'>, waitMs: number): Promise<Loaded> {
  try {
    return {
      state: 'fresh',
      payload: await within(waitMs, () => ask(getActionsWidget, {}), name),
      fetchedAt: now().getTime(),
      error: null,
    }
  } catch (cause) {
    return { state: 'overview', error: failureOf(cause, name) }
  }
}
