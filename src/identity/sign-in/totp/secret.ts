/** The previous and the next code are accepted, too (RFC 6238 §5.2). */
const periodSeconds = 30

/** 160 random bits, base32. */
export const generateSecret = async (): Promise<string> => (await import('otplib')).generateSecret()

export async function createEnrollment(secret: string, email: string): Promise<{ uri: string; qr: string }> {
  const [{ generateURI }, { renderSVG }] = await Promise.all([import('otplib'), import('uqr')])
  const uri = generateURI({ issuer: 'Atrium', label: email, secret })
  return { uri, qr: renderSVG(uri, { border: 2, pixelSize: 4 }) }
}

/** The time step of a code (SHA-1, six digits); null for a wrong one. */
export async function findStep(secret: string, code: string, now: Date): Promise<number | null> {
  const { verifySync } = await import('otplib')
  const epoch = Math.floor(now.getTime() / 1000)
  const found = verifySync({ secret, token: code, epoch, period: periodSeconds, epochTolerance: periodSeconds })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}
