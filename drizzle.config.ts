import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: ['./src/*/schema.ts', './src/gateway/practice-{models,payments,video}/schema.ts'],
  out: './drizzle',
})
