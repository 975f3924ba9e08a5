const SIGNED = ['thinking', 'text', 'toolCall'];

/** Pictures and the signatures of providers are long, may look like secrets and are none. */
export function isOpaque(key: string, within: object): boolean {
  const { type, data, mimeType } = within as { type?: unknown; data?: unknown; mimeType?: unknown };
  if (key === 'data') {
    return type === 'image' && typeof mimeType === 'string' && /^[A-Za-z0-9+/=\s]*$/.test(String(data));
  }
  return /^(?:\w+S|s)ignature$/.test(key) && SIGNED.includes(String(type));
}
