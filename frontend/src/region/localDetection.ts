import type { Candidate, RegionPreview } from "../api/types";
import type { Areas } from "../editor/areas";
import { Observable } from "../observable";
import type { Versions } from "../session/document";
import { type Choice, type Choices, chosen, suggestedChoices } from "./choices";

export interface LocalDetectionState {
  /** What a local detection found; nothing of it counts before a person applies it. */
  preview: RegionPreview | null;
  choices: Choices;
}

export interface LocalDetectionOptions {
  areas: Areas;
  read: (regionId: string) => Promise<RegionPreview>;
  candidates: () => readonly Candidate[];
}

const NOTHING: LocalDetectionState = { preview: null, choices: new Map() };

/** Looking again at one part of the picture: the areas that are marked, what was found, what is to become of it. */
export class LocalDetection {
  readonly state = new Observable<LocalDetectionState>(NOTHING);

  constructor(private readonly options: LocalDetectionOptions) {}

  /** Shows what the detection found. */
  async open(regionId: string): Promise<RegionPreview> {
    const preview = await this.options.read(regionId);
    this.options.areas.set({ region: preview.region, reference: preview.reference });
    this.state.set({ preview, choices: suggestedChoices(preview, this.options.candidates()) });
    return preview;
  }

  choose(found: string, choice: Choice): void {
    this.state.patch({ choices: chosen(this.state.get().choices, found, choice) });
  }

  close(): void {
    this.state.set(NOTHING);
    this.options.areas.clear();
  }
}

/** What has changed since the detection was asked for; the server would refuse to apply it. */
export function staleParts(preview: RegionPreview, versions: Versions): string[] {
  const parts = [];
  if (preview.base_set_id !== versions.candidateSetId) parts.push("candidate_set");
  if (preview.config_version !== versions.config) parts.push("config_version");
  if (preview.applied_at) parts.push("applied_once");
  return parts;
}
