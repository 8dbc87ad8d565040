import { OutboundError } from '#lib/outbound.ts'
import { Problem } from '#lib/errors.ts'

type Code =
  | 'widget_timeout'
  | 'widget_failed'
  | 'widget_invalid'
  | 'widget_refused'
  | 'widget_unreachable'
  | 'widget_paused'
  | 'identity_unavailable'
  | 'session_required'

/** Why there is no new payload of an app. */
export class WidgetFailure extends Error {
  readonly code: Code

  constructor(code: Code, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }
}

/** Those that say something about the app, not about the caller. */
export const isAppsFault = ({ code }: WidgetFailure): boolean =>
  ['widget_timeout', 'widget_failed', 'widget_invalid', 'widget_unreachable'].includes(code)

export function failureOf(error: unknown, name: string): WidgetFailure {
  if (error instanceof WidgetFailure) return error
  if (error instanceof OutboundError) return outboundFailure(error, name)
  if (error instanceof Problem && error.status < 500)
    return new WidgetFailure('widget_refused', error.message, { cause: error })
  if (error instanceof Problem && error.code === 'identity_unavailable')
    return new WidgetFailure('identity_unavailable', error.message, { cause: error })
  return new WidgetFailure('widget_failed', `${name} failed.`, { cause: error })
}

function outboundFailure(error: OutboundError, name: string): WidgetFailure {
  if (error.outcome === 'timed_out') return timedOut(name)
  return error.outcome === 'too_large'
    ? new WidgetFailure('widget_invalid', `${name} sent more than a widget can have.`, { cause: error })
    : new WidgetFailure('widget_unreachable', `${name} can’t be reached.`, { cause: error })
}

export const timedOut = (name: string): WidgetFailure =>
  new WidgetFailure('widget_timeout', `${name} didn’t respond within 2 seconds.`)
