import type { Call } from '#lib/call.ts'

/** The value of a parameter of the page that requests a fragment, such as the opened row of a list. */
export const openedIn = ({ request }: Pick<Call, 'request'>, parameter: string): string | undefined =>
  URL.parse(request.headers.get('hx-current-url') ?? '')?.searchParams.get(parameter) ?? undefined
