import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'node_modules/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // visible.ts is about such characters.
      'no-control-regex': 'off',
      'no-misleading-character-class': 'off',
      'svelte/no-at-html-tags': 'error',
    },
  },
  { files: ['dev/**', '*.config.*'], languageOptions: { globals: globals.node } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    // Sets and maps here are made once and never changed, or not watched.
    rules: { 'prefer-const': 'off', 'svelte/prefer-svelte-reactivity': 'off' },
  },
);
