// Generates src/generated/ from schema.graphql (`plybook schema > schema.graphql`) and the operations in src/.
import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "schema.graphql",
  documents: "src/operations.ts",
  emitLegacyCommonJSImports: false,
  generates: {
    "src/generated/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: "string",
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        scalars: { DateTime: "string", Hash: "string", IdempotencyKey: "string", JSON: "unknown", PublicKey: "string", Signature: "string" },
      },
    },
  },
};

export default config;
