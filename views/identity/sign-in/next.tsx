export const Next = ({ path }: { path?: string }) => (path ? <input type="hidden" name="next" value={path} /> : <></>)

export const withNext = (path: string, next?: string): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path
