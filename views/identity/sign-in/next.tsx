/** Carries the page to go on to through a form. */
export const Next = ({ path }: { path?: string }) => (path ? <input type="hidden" name="next" value={path} /> : <></>)

/** Carries it through a link. */
export const withNext = (path: string, next?: string): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path
