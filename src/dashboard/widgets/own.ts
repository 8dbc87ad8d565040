import type { Call } from '#lib/call.ts'
import { getActionsWidget } from '../actions/widget.operations.ts'
import { failureOf } from './failure.ts'
import type { Loaded } from './loader.ts'

export const ownSlug = 'platform-dashboard-api'

/** With the caller’s permissions of all services, which actions depend on: a token for one app has only those of the app. */
export async function loadOwnWidget({ ask, now }: Pick<Call, 'ask' | 'now'>): Promise<Loaded> {
  try {
    return {
      state: 'fresh',
      payload: await ask(getActionsWidget, {}),
      fetchedAt: now().getTime(),
      error: null,
    }
  } catch (cause) {
    return { state: 'overview', error: failureOf(cause, 'Actions') }
  }
}
