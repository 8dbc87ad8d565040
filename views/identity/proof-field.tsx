import { TextField } from '#views/ui/field.tsx'

/** Asks whoever has the session whether they are the person: for the password, else for a code. */
export const ProofField = ({ id, hasPassword }: { id: string; hasPassword: boolean }) =>
  hasPassword ? (
    <TextField
      label="Your password"
      name="password"
      id={`${id}-password`}
      type="password"
      autocomplete="current-password"
      maxlength={256}
      required
    />
  ) : (
    <TextField
      label="A code of your authenticator app"
      name="code"
      id={`${id}-code`}
      hint="Not needed within 15 minutes of signing in"
      autocomplete="one-time-code"
      maxlength={40}
    />
  )
