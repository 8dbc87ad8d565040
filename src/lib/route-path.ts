const parameter = /:(\w+)/g

export const pathParameters = (path: string): string[] => [...path.matchAll(parameter)].map(([, name = '']) => name)

/** A path with its parameters, URL-encoded. Those without a value stay as they are. */
export const fillPath = (path: string, valueOf: (name: string) => string | undefined): string =>
  path.replaceAll(parameter, (whole, name: string) => {
    const value = valueOf(name)
    return value === undefined ? whole : encodeURIComponent(value)
  })
