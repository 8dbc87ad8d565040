import { z } from 'zod'

/** The origin of a server that a person or a directory named: https, except on this very machine. */
export const ServerAddress = z
  .string()
  .max(300)
  .refine((text) => URL.canParse(text) && isSafe(new URL(text)), 'Must be a URL such as https://example.com.')
  .transform((text) => new URL(text).origin)

const isSafe = ({ protocol, hostname, username }: URL): boolean =>
  username === '' && (protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3})$/.test(hostname)))
