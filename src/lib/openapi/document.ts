export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  [keyword: string]: unknown
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown; 'x-itemSchema'?: JsonSchema }>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  style?: 'form' | 'deepObject'
  explode?: boolean
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Content
  'x-codes'?: readonly string[]
}

export interface Endpoint {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: true
  'x-permission': string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject>
}

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; summary?: string; description: string }
  servers: { url: string; description: string }[]
  tags: { name: string; 'x-displayName': string; description: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Endpoint>>
  webhooks: Record<string, { post: Endpoint }>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, Record<string, string>>
  }
}

export const refTo = (name: string): string => `#/components/schemas/${name}`
