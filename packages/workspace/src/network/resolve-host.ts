import { lookup } from 'node:dns';

export interface Address {
  address: string;
  family: number;
}

/** Every address of a name, as the system resolves it. @throws the resolver's error. */
export function resolveHost(host: string): Promise<Address[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
