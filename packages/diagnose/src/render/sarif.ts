import type { Diagnosis } from '@black-ide/protocol';

/** A diagnosis as SARIF 2.1.0 (docs.oasis-open.org/sarif), for Problems and code scanning (DX-11). */
export function diagnosisSarif(diagnosis: Diagnosis, version: string): object {
  const { affectedFiles, title, rootCause } = diagnosis;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Black IDE',
            version,
            rules: [{ id: 'diagnosis', shortDescription: { text: 'A place in which a reported fault may lie' } }],
          },
        },
        properties: { title, rootCause, classification: diagnosis.classification.kind },
        results: affectedFiles.map(({ path, startLine, endLine, symbol, why, confidence }, at) => ({
          ruleId: 'diagnosis',
          level: at === 0 ? 'warning' : 'note',
          rank: Math.round(confidence * 1000) / 10,
          message: { text: `${title}: ${why}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(path), uriBaseId: '%SRCROOT%' },
                region: { startLine, endLine },
              },
              ...(symbol === null ? {} : { logicalLocations: [{ fullyQualifiedName: symbol }] }),
            },
          ],
        })),
      },
    ],
  };
}
