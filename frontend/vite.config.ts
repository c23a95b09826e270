import { existsSync } from "node:fs";
import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** django-vite reads `manifest.json` and serves the files under STATIC_URL. */
const entries = ["src/workbench/main.tsx", "src/pages/main.ts", "src/styles/app.css"];

export default defineConfig({
  base: "/static/",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "dist",
    manifest: "manifest.json",
    // A strict Content-Security-Policy forbids data: modules, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: entries.map((entry) => resolve(import.meta.dirname, entry)).filter((entry) => existsSync(entry)),
    },
  },
  worker: { format: "es" },
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
  },
});
