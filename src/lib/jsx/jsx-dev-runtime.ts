import { jsx, jsxs } from './jsx-runtime.ts'

export { Fragment } from './jsx-runtime.ts'

export const jsxDEV = (name: string, attributes: Record<string, unknown>, _key: unknown, isStatic: boolean) =>
  isStatic && Array.isArray(attributes.children)
    ? jsxs(name, { ...attributes, children: attributes.children })
    : jsx(name, attributes)
