const parameter = /:(\w+)/g

export const pathParameters = (path: string): string[] => [...path.matchAll(parameter)].map(([, name = '']) => name)

export const fillPath = (path: string, valueOf: (name: string) => string | undefined): string =>
  path.replaceAll(parameter, (whole, name: string) => {
    const value = valueOf(name)
    return value === undefined ? whole : encodeURIComponent(value)
  })
