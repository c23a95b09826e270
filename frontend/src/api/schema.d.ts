// Written by `python -m tests.support.api_types` from the OpenAPI document. Change the API instead.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The order was taken. */
        Accepted: {
            accepted: boolean;
            /** Format: uuid */
            job_id: string;
            status: components["schemas"]["JobStatus"];
            /** Format: uuid */
            task_id: string;
        };
        /** @description An action that needs nothing but the request. */
        Act: {
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        AnnotationPage: {
            items: components["schemas"]["AnnotationShape"][];
            next_cursor: string | null;
        };
        /** @description The revision that confirming made or found. */
        AnnotationReply: {
            annotation: components["schemas"]["AnnotationShape"];
        };
        /** @description A confirmed revision. */
        AnnotationShape: {
            /** Format: uuid */
            candidate_set_id: string | null;
            config_version: number;
            /** Format: date-time */
            confirmed_at: string;
            confirmed_by: components["schemas"]["PersonShape"];
            decisions: components["schemas"]["DecisionShape"][];
            draft_version: number;
            /** Format: uuid */
            id: string;
            items: {
                geometry: {
                    /** @enum {unknown} */
                    type: "point";
                    x: number;
                    y: number;
                } | {
                    bbox: number[];
                    /** @enum {unknown} */
                    type: "bbox";
                } | {
                    points: number[][];
                    /** @enum {unknown} */
                    type: "polygon";
                };
                id: string;
                label?: string | null;
                order?: number | null;
                source?: {
                    candidate_id?: string | null;
                    /** Format: uuid */
                    candidate_set_id?: string | null;
                    /** Format: uuid */
                    prediction_id?: string | null;
                } | null;
            }[];
            question: string;
            revision: number;
            selection_mode: string;
            targets: string[];
            /** Format: uuid */
            task_id: string;
        };
        /** @description What was done about the pin, in words or without. */
        AnswerBody: {
            client_id?: string | null;
            lock_token?: number | null;
            /** Format: uuid */
            request_id?: string | null;
            /** @default  */
            text: string;
        };
        /** @description The draft that it is to replace. */
        ApplyPredictionBody: {
            client_id?: string | null;
            expected_draft_version: number;
            lock_token?: number | null;
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description What of the preview is wanted. */
        ApplyRegionBody: {
            add?: string[];
            client_id?: string | null;
            expected_draft_version?: number | null;
            lock_token?: number | null;
            move_item?: components["schemas"]["MoveItemBody"] | null;
            replace?: {
                [key: string]: string;
            };
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description Which revision, and a word to it. */
        ApproveBody: {
            annotation_revision: number;
            client_id?: string | null;
            /** @default  */
            comment: string;
            lock_token?: number | null;
            /** @default  */
            override_reason: string;
            /** Format: uuid */
            request_id?: string | null;
        };
        /**
         * @description * `annotators` - annotators
         *     * `reviewers` - reviewers
         *     * `admins` - admins
         * @enum {string}
         */
        AskedGroup: "annotators" | "reviewers" | "admins";
        AuditPage: {
            items: components["schemas"]["AuditShape"][];
            next_cursor: string | null;
        };
        /** @description An audit row. */
        AuditShape: {
            action: string;
            actor: components["schemas"]["PersonShape"] | null;
            after: unknown;
            /** Format: date-time */
            at: string;
            before: unknown;
            hash: string;
            id: number;
            number: number;
            reason: string;
            request_id: string;
            role: string;
            /** Format: uuid */
            task_id: string | null;
        };
        /** @description Why a batch is put on hold, and whether work in it is interrupted. */
        BatchHold: {
            reason: string;
            /** @default false */
            release_locks: boolean;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        BatchPage: {
            items: components["schemas"]["BatchShape"][];
            next_cursor: string | null;
        };
        /** @description A batch. */
        BatchShape: {
            assignees: components["schemas"]["PersonShape"][];
            counts: components["schemas"]["CountsShape"];
            hold: components["schemas"]["HoldShape"] | null;
            /** Format: uuid */
            id: string;
            is_default: boolean;
            name: string;
            open: boolean;
            priority: number;
            /** Format: uuid */
            project: string;
            status: components["schemas"]["BatchStatus"];
        };
        /**
         * @description * `draft` - draft
         *     * `active` - active
         *     * `annotating` - annotating
         *     * `reviewing` - reviewing
         *     * `completed` - completed
         *     * `archived` - archived
         * @enum {string}
         */
        BatchStatus: "draft" | "active" | "annotating" | "reviewing" | "completed" | "archived";
        /** @description How long the lock lives now. */
        BeatShape: {
            /** Format: date-time */
            expire_at: string;
        };
        /**
         * @description * `ask` - ask
         *     * `leave_out` - leave_out
         * @enum {string}
         */
        BelowThreshold: "ask" | "leave_out";
        /** @description What an answer did to the boxes; one that was moved and renamed is in both lists. */
        BoxChanges: {
            added: components["schemas"]["ChangedBox"][];
            kept: components["schemas"]["ChangedBox"][];
            moved: components["schemas"]["ChangedBox"][];
            removed: components["schemas"]["ChangedBox"][];
            renamed: components["schemas"]["ChangedBox"][];
        };
        /** @description A candidate set. */
        BoxList: {
            boxes: components["schemas"]["BoxShape"][];
            /** Format: uuid */
            candidate_set_id: string | null;
            revision: number;
        };
        /** @description A box of page 04. */
        BoxShape: {
            bbox: number[] | null;
            box_id: string;
            center: number[];
            edited: boolean;
            label: string | null;
            /** Format: double */
            score: number | null;
            source: components["schemas"]["SourceEnum"];
            target_policy: components["schemas"]["TargetPolicyEnum"];
        };
        /** @description Nothing but the request's id. */
        CancelBody: {
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description Nothing but the request's id. */
        CancelJob: {
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description The complete set. */
        CandidatesBody: {
            /** Format: uuid */
            expected_set_id: string | null;
            items: {
                bbox?: number[] | null;
                center?: number[] | null;
                id?: string | null;
                label?: string | null;
                score?: number | null;
            }[];
        };
        /**
         * @description The active set; `set_id` null and revision 0 where there is none.
         *
         *     `proposed`: what a model found and no person has changed in the list, of the active set and of those that
         *     the draft's items name as their source.
         */
        CandidatesShape: {
            items: {
                bbox?: number[] | null;
                center?: number[] | null;
                id?: string | null;
                label?: string | null;
                score?: number | null;
            }[];
            proposed: {
                bbox?: number[] | null;
                center?: number[] | null;
                id?: string | null;
                label?: string | null;
                score?: number | null;
                /** Format: uuid */
                set_id?: string;
            }[];
            revision: number;
            /** Format: uuid */
            set_id: string | null;
        };
        /** @description A box in an answer; `before` is a renamed one's label until then, `why` says who removed it. */
        ChangedBox: {
            before?: string | null;
            box_id: string;
            label: string | null;
            why?: string | null;
        };
        /** @description Who takes or renews a lock. */
        Client: {
            /** @description One page load, or one API client. */
            client_id: string;
        };
        /** @description An action that takes the task's lock for a client. */
        ClientAct: {
            /** @description One page load, or one API client. */
            client_id: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        /** @description The order was taken; the job that it compensates is left as it is. */
        Compensated: {
            accepted: boolean;
            /** Format: uuid */
            compensates: string;
            /** Format: uuid */
            job_id: string;
            status: components["schemas"]["JobStatus"];
            /** Format: uuid */
            task_id: string;
        };
        /** @description Nothing but the request's id. */
        CompensateJob: {
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description What the task should ask. Labels may be sent back as they came; they belong to the project. */
        ConfigBody: {
            expected_version: number;
            geometries?: components["schemas"]["GeometriesEnum"][];
            labels?: unknown[];
            question?: string;
            selection_mode?: components["schemas"]["SelectionModeEnum"];
            targets?: string[];
        };
        /** @description What a task asks. */
        ConfigShape: {
            geometries: string[];
            labels: components["schemas"]["LabelShape"][];
            question: string;
            selection_mode: components["schemas"]["SelectionModeEnum"];
            targets: string[];
            version: number;
        };
        /** @description The versions that the person looked at. */
        ConfirmBody: {
            client_id?: string | null;
            expected_config_version: number;
            expected_draft_version: number;
            lock_token?: number | null;
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description Number of tasks in each status. */
        CountsShape: {
            completed: number;
            in_progress: number;
            pending: number;
            review: number;
            uploading: number;
        };
        /**
         * @description * `approve` - approve
         *     * `reject` - reject
         * @enum {string}
         */
        DecisionEnum: "approve" | "reject";
        /** @description One reviewer's decision on a revision. */
        DecisionShape: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["PersonShape"];
            decision: string;
            /** Format: uuid */
            id: string;
            override_reason: string;
            reason: string;
        };
        /**
         * @description * `keep_shown` - keep_shown
         *     * `keep_none` - keep_none
         * @enum {string}
         */
        DefaultAnswer: "keep_shown" | "keep_none";
        /** @description The complete draft. */
        DraftBody: {
            expected_version: number;
            items: {
                geometry: {
                    /** @enum {unknown} */
                    type: "point";
                    x: number;
                    y: number;
                } | {
                    bbox: number[];
                    /** @enum {unknown} */
                    type: "bbox";
                } | {
                    points: number[][];
                    /** @enum {unknown} */
                    type: "polygon";
                };
                id: string;
                label?: string | null;
                order?: number | null;
                source?: {
                    candidate_id?: string | null;
                    /** Format: uuid */
                    candidate_set_id?: string | null;
                    /** Format: uuid */
                    prediction_id?: string | null;
                } | null;
            }[];
        };
        /** @description The working copy; version 0 where nothing was saved yet. */
        DraftShape: {
            items: {
                geometry: {
                    /** @enum {unknown} */
                    type: "point";
                    x: number;
                    y: number;
                } | {
                    bbox: number[];
                    /** @enum {unknown} */
                    type: "bbox";
                } | {
                    points: number[][];
                    /** @enum {unknown} */
                    type: "polygon";
                };
                id: string;
                label?: string | null;
                order?: number | null;
                source?: {
                    candidate_id?: string | null;
                    /** Format: uuid */
                    candidate_set_id?: string | null;
                    /** Format: uuid */
                    prediction_id?: string | null;
                } | null;
            }[];
            /** Format: date-time */
            updated_at: string | null;
            updated_by: components["schemas"]["PersonShape"] | null;
            version: number;
        };
        /** @description Everything that the workbench needs of a task. */
        EditorShape: {
            annotation: components["schemas"]["AnnotationShape"] | null;
            candidates: components["schemas"]["CandidatesShape"];
            config: components["schemas"]["ConfigShape"];
            draft: components["schemas"]["DraftShape"];
            has_confirmed_snapshot: boolean;
            is_confirmed: boolean;
            job: components["schemas"]["JobShape"] | null;
            lock: components["schemas"]["LockShape"] | null;
            mark: components["schemas"]["MarkShape"];
            prediction: components["schemas"]["PredictionShape"] | null;
            reopened: components["schemas"]["ReopeningShape"] | null;
            review: components["schemas"]["OpenReviewShape"] | null;
            task: components["schemas"]["TaskShape"];
        };
        /** @description Why a job failed. */
        Failure: {
            code: string;
            message: string;
            retryable: boolean;
        };
        /** @description One field that is not acceptable. */
        FieldErrorShape: {
            code: string;
            field: string;
            message: string;
        };
        /**
         * @description * `point` - point
         *     * `bbox` - bbox
         *     * `polygon` - polygon
         * @enum {string}
         */
        GeometriesEnum: "point" | "bbox" | "polygon";
        /** @description An action of who holds the lock; the fence is checked where it is sent. */
        HeldAct: {
            /** @description One page load, or one API client. */
            client_id?: string | null;
            lock_token?: number | null;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        /** @description Somebody else's live lock. */
        HeldShape: {
            holder: components["schemas"]["PersonShape"];
            /** Format: date-time */
            stale_at: string;
            /** Format: uuid */
            task_id: string;
        };
        /** @description One thing that was done to a task. */
        HistoryItemShape: {
            action: string;
            actor: components["schemas"]["PersonShape"] | null;
            after: unknown;
            /** Format: date-time */
            at: string;
            before: unknown;
            kind: string;
            number: number;
            reason: string;
            revision?: number;
            role: string;
        };
        /** @description Everything that was done to a task, oldest first. */
        HistoryShape: {
            items: components["schemas"]["HistoryItemShape"][];
        };
        /** @description Why and since when a batch is on hold. */
        HoldShape: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["PersonShape"] | null;
            reason: string;
        };
        /** @description A report that came too late to count. */
        IgnoredReportShape: {
            attempt: number;
            /** Format: date-time */
            received_at: string;
            why: string;
        };
        /**
         * @description A person's answer to a pause; the boxes' own shape is checked by `review.domain.boxes`.
         *
         *     Ids and tokens are taken as they are sent: one with a space more is another one.
         */
        Intervene: {
            base_version: number;
            client_id?: string | null;
            deleted_box_ids?: string[];
            intervention_id: string;
            lock_token?: number | null;
            pause_token: string;
            subjects: components["schemas"]["SentBox"][];
        };
        /** @description What the answer led to. */
        Intervened: {
            intervention_id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: uuid */
            next_node_instance_id: string | null;
            outcome: components["schemas"]["IntervenedOutcomeEnum"];
            status: components["schemas"]["JobStatus"];
            version: number;
        };
        /**
         * @description * `EMPTY_SELECTION` - EMPTY_SELECTION
         *     * `VALIDATING` - VALIDATING
         *     * `FINALIZING` - FINALIZING
         *     * `PROCESSING` - PROCESSING
         * @enum {string}
         */
        IntervenedOutcomeEnum: "EMPTY_SELECTION" | "VALIDATING" | "FINALIZING" | "PROCESSING";
        /** @description The picture that the boxes lie in, in pixels. */
        JobPicture: {
            height: number;
            url: string;
            width: number;
        };
        /** @description How far the current node is. */
        JobProgress: {
            done: number;
            phase: string;
            total: number;
        };
        /** @description Page 06's job. */
        JobShape: {
            active_pause: components["schemas"]["PauseShape"] | null;
            approved_box_list: components["schemas"]["BoxList"] | null;
            box_list: components["schemas"]["BoxList"];
            cancel_requested: boolean;
            /** Format: uuid */
            compensates?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            current_node_instance_id: string | null;
            failure: components["schemas"]["Failure"] | null;
            if_unanswered?: components["schemas"]["UnansweredShape"];
            image: components["schemas"]["JobPicture"] | null;
            /** Format: uuid */
            job_id: string;
            last_event_id: number;
            pending_actions: components["schemas"]["PendingActionsEnum"][];
            pipeline: string;
            policy_version?: string;
            progress: components["schemas"]["JobProgress"] | null;
            status: components["schemas"]["JobStatus"];
            /** Format: uuid */
            task_id: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            warnings: components["schemas"]["Warned"][];
        };
        /**
         * @description * `CREATED` - CREATED
         *     * `DETECTING` - DETECTING
         *     * `WAITING_USER_SELECTION` - WAITING_USER_SELECTION
         *     * `VALIDATING_MANUAL_BOXES` - VALIDATING_MANUAL_BOXES
         *     * `WAITING_BOX_BATCH_REVISION` - WAITING_BOX_BATCH_REVISION
         *     * `PROCESSING_APPROVED_SUBJECTS` - PROCESSING_APPROVED_SUBJECTS
         *     * `FINALIZING_RESULTS` - FINALIZING_RESULTS
         *     * `SUCCEEDED` - SUCCEEDED
         *     * `PARTIAL_SUCCEEDED` - PARTIAL_SUCCEEDED
         *     * `FAILED` - FAILED
         *     * `EMPTY_SELECTION` - EMPTY_SELECTION
         *     * `CANCELLED` - CANCELLED
         * @enum {string}
         */
        JobStatus: "CREATED" | "DETECTING" | "WAITING_USER_SELECTION" | "VALIDATING_MANUAL_BOXES" | "WAITING_BOX_BATCH_REVISION" | "PROCESSING_APPROVED_SUBJECTS" | "FINALIZING_RESULTS" | "SUCCEEDED" | "PARTIAL_SUCCEEDED" | "FAILED" | "EMPTY_SELECTION" | "CANCELLED";
        /** @description A label of a project. */
        LabelShape: {
            aliases: string[];
            color: string;
            id: string;
            key: string;
            name: string;
        };
        /** @description The last decision of a reviewer. */
        LastDecisionShape: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["PersonShape"];
            decision: components["schemas"]["DecisionEnum"];
            pins: components["schemas"]["PinShape"][];
            reason: string;
        };
        /** @description A task's lock. */
        LockShape: {
            /** Format: date-time */
            acquired_at: string;
            client_id: string;
            /** Format: date-time */
            expire_at: string;
            /** Format: date-time */
            heartbeat_at: string;
            heartbeat_seconds: number;
            /** Format: date-time */
            stale_at: string;
            taken_over_from: components["schemas"]["PersonShape"] | null;
            /** Format: uuid */
            task_id: string;
            token: number;
            ttl_seconds: number;
            user: components["schemas"]["PersonShape"];
        };
        /**
         * @description * `normal` - normal
         *     * `difficult` - difficult
         *     * `later` - later
         *     * `invalid` - invalid
         * @enum {string}
         */
        Mark: "normal" | "difficult" | "later" | "invalid";
        /** @description The mark, and the version of the one that it replaces. */
        MarkBody: {
            client_id?: string | null;
            expected_version: number;
            lock_token?: number | null;
            mark: components["schemas"]["Mark"];
            /** @default  */
            note: string;
            /** @default  */
            reason: string;
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description A mark with its own version. */
        MarkShape: {
            /** Format: date-time */
            at: string | null;
            by: components["schemas"]["PersonShape"] | null;
            mark: components["schemas"]["Mark"];
            note: string;
            reason: string;
            version: number;
        };
        MemberPage: {
            items: components["schemas"]["MemberShape"][];
            next_cursor: string | null;
        };
        /**
         * @description * `project_admin` - project_admin
         *     * `reviewer` - reviewer
         *     * `annotator` - annotator
         *     * `viewer` - viewer
         * @enum {string}
         */
        MemberRole: "project_admin" | "reviewer" | "annotator" | "viewer";
        /** @description A member of a project. */
        MemberShape: {
            role: components["schemas"]["Role"];
            user: components["schemas"]["PersonShape"];
        };
        /** @description One point of the draft and where it goes. */
        MoveItemBody: {
            candidate_id: string;
            item_id: string;
        };
        /** @description Something by its id and name. */
        NamedShape: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description A new batch; it starts as a draft. */
        NewBatch: {
            assignees?: string[];
            name: string;
            open?: boolean;
            priority?: number;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        /** @description Somebody to add. */
        NewMember: {
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            role: components["schemas"]["MemberRole"];
            /** @description A username or an id. */
            user: string;
        };
        /** @description A new project; only its name is required. */
        NewProject: {
            description?: string;
            four_eyes?: boolean;
            geometries?: components["schemas"]["GeometriesEnum"][];
            labels?: unknown[];
            name: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            required_approvals?: number;
            review_rule?: components["schemas"]["ReviewRuleEnum"];
            sampling?: components["schemas"]["SamplingEnum"];
            start_jobs?: boolean;
            submit_on_confirm?: boolean;
            task_lock_ttl_seconds?: number;
        };
        /** @description A picture with its question, as a form. */
        NewTask: {
            /** Format: uuid */
            batch?: string;
            /** Format: uri */
            image: string;
            name?: string;
            question?: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            selection_mode?: components["schemas"]["SelectionModeEnum"];
            targets?: string;
        };
        /** @description What a token is for. */
        NewToken: {
            name: string;
        };
        /** @description A new token with its text, shown this once. */
        NewTokenShape: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string | null;
            name: string;
            token: string;
        };
        /** @description Why there is nothing to give. */
        NextReasonsShape: {
            done: boolean;
            held: components["schemas"]["HeldShape"][];
            not_assigned: number;
            on_hold: number;
            reserved: number;
        };
        /** @description The next task with its lock and why it is this one; or null with the reasons. */
        NextReply: {
            lock?: components["schemas"]["LockShape"] | null;
            reasons?: components["schemas"]["NextReasonsShape"];
            task: components["schemas"]["TaskShape"] | null;
            why?: components["schemas"]["WhyEnum"];
        };
        /** @enum {unknown} */
        NullEnum: null;
        /** @description A review that is going on; `outcome` is open, or tie where the owner's word is missing. */
        OpenReviewShape: {
            claimed: boolean;
            decisions: components["schemas"]["DecisionShape"][];
            outcome: components["schemas"]["OpenReviewShapeOutcomeEnum"];
            required: number;
            rule: components["schemas"]["RuleEnum"];
        };
        /**
         * @description * `open` - open
         *     * `tie` - tie
         * @enum {string}
         */
        OpenReviewShapeOutcomeEnum: "open" | "tie";
        /** @description An action that may be explained. */
        OptionalReason: {
            /** @default  */
            reason: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        /** @description A pause of the history; `outcome` and `changes` are null where nothing has answered. */
        PastPause: {
            base_version: number;
            changes: components["schemas"]["BoxChanges"] | null;
            /** Format: date-time */
            consumed_at: string | null;
            consumed_by: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
            group: string;
            intervention_id: string | null;
            outcome: string | null;
            pause_token: string;
            policy_version: string | null;
            problems: components["schemas"]["ProblemBox"][];
            round: number;
            /** Format: uuid */
            snapshot_id: string;
            stage: components["schemas"]["StageEnum"];
            status: components["schemas"]["PauseStatus"];
        };
        /** @description What may be changed of a batch. */
        PatchedBatchChange: {
            assignees?: string[];
            name?: string;
            open?: boolean;
            priority?: number;
            reason?: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            status?: components["schemas"]["BatchStatus"];
        };
        /** @description Another role for a member. */
        PatchedMemberChange: {
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            role?: components["schemas"]["MemberRole"];
        };
        /** @description A project's settings; every one may be left out. */
        PatchedProjectChange: {
            description?: string;
            four_eyes?: boolean;
            geometries?: components["schemas"]["GeometriesEnum"][];
            labels?: unknown[];
            name?: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            required_approvals?: number;
            review_rule?: components["schemas"]["ReviewRuleEnum"];
            sampling?: components["schemas"]["SamplingEnum"];
            start_jobs?: boolean;
            submit_on_confirm?: boolean;
            task_lock_ttl_seconds?: number;
        };
        /** @description A page of it, newest first. */
        PauseHistory: {
            items: components["schemas"]["PastPause"][];
            next_cursor: string | null;
        };
        /** @description A pause. */
        PauseShape: {
            base_version: number;
            /** Format: date-time */
            created_at: string;
            group: string;
            pause_token: string;
            problems: components["schemas"]["ProblemBox"][];
            round: number;
            /** Format: uuid */
            snapshot_id: string;
            stage: components["schemas"]["StageEnum"];
            status: components["schemas"]["PauseStatus"];
        };
        /**
         * @description * `WAITING` - WAITING
         *     * `CONSUMED` - CONSUMED
         *     * `CANCELLED` - CANCELLED
         * @enum {string}
         */
        PauseStatus: "WAITING" | "CONSUMED" | "CANCELLED";
        /**
         * @description * `SUBMIT_BOX_LIST` - SUBMIT_BOX_LIST
         *     * `DRAW_MANUAL_BOX` - DRAW_MANUAL_BOX
         * @enum {string}
         */
        PendingActionsEnum: "SUBMIT_BOX_LIST" | "DRAW_MANUAL_BOX";
        /** @description A person. */
        PersonShape: {
            /** Format: uuid */
            id: string;
            name: string;
            username: string;
        };
        /** @description A stored picture; sizes in pixels of the normalised original. */
        PictureShape: {
            height: number;
            /** Format: uuid */
            id: string;
            image_url: string;
            sha256: string;
            width: number;
        };
        /** @description A remark at a point, in pixels of the normalised picture. */
        PinBody: {
            text: string;
            /** Format: double */
            x: number;
            /** Format: double */
            y: number;
        };
        /** @description A reviewer's remark at a point of the picture. */
        PinShape: {
            answer: string | null;
            /** Format: uuid */
            id: string;
            text: string;
            /** Format: double */
            x: number;
            /** Format: double */
            y: number;
        };
        Policies: {
            items: components["schemas"]["PolicyShape"][];
        };
        /** @description A kind's whole declaration: is it on, and its terms. Another kind's terms are refused. */
        PolicyChange: {
            /** @description The timeouts: how long a pause waits first. */
            after_seconds?: number | null;
            answer?: (components["schemas"]["DefaultAnswer"] | components["schemas"]["NullEnum"]) | null;
            /** @description Who allows it and why. The timeout default is never on without it. */
            authorisation?: string | null;
            below?: (components["schemas"]["BelowThreshold"] | components["schemas"]["NullEnum"]) | null;
            /** @description Routing: what the threshold was measured on. */
            calibration?: string | null;
            expected_version?: number | null;
            group?: (components["schemas"]["AskedGroup"] | components["schemas"]["NullEnum"]) | null;
            is_on: boolean;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
            /**
             * Format: double
             * @description Routing: boxes with at least this score go on by themselves.
             */
            threshold?: number | null;
        };
        /**
         * @description * `routing` - routing
         *     * `timeout_default` - timeout_default
         *     * `timeout_to_queue` - timeout_to_queue
         * @enum {string}
         */
        PolicyKind: "routing" | "timeout_default" | "timeout_to_queue";
        PolicyPage: {
            items: components["schemas"]["PolicyShape"][];
            next_cursor: string | null;
        };
        /** @description A version of a policy; terms that it does not have are null, version 0 was never declared. */
        PolicyShape: {
            after_seconds: number | null;
            answer: (components["schemas"]["DefaultAnswer"] | components["schemas"]["NullEnum"]) | null;
            /** Format: date-time */
            at: string | null;
            authorisation: string | null;
            below: (components["schemas"]["BelowThreshold"] | components["schemas"]["NullEnum"]) | null;
            by: components["schemas"]["PersonShape"] | null;
            calibration: string | null;
            group: (components["schemas"]["AskedGroup"] | components["schemas"]["NullEnum"]) | null;
            is_on: boolean;
            kind: components["schemas"]["PolicyKind"];
            /** Format: double */
            threshold: number | null;
            version: number;
        };
        /** @description What a judge chose; `failed_conditions` names what keeps it from being applied now. */
        PredictionShape: {
            applicable: boolean;
            /** Format: uuid */
            candidate_set_id: string;
            config_version: number;
            /** Format: date-time */
            created_at: string;
            evidence: {
                [key: string]: unknown;
            };
            failed_conditions: string[];
            /** Format: uuid */
            id: string;
            selected_ids: string[];
            warnings: unknown[];
        };
        /** @description Why a box was not recognised. */
        ProblemBox: {
            box_id: string;
            code: string;
            message: string;
        };
        /** @description An error, as application/problem+json. */
        ProblemShape: {
            code: string;
            detail: string;
            errors?: components["schemas"]["FieldErrorShape"][];
            snapshot?: unknown;
            status: number;
            title: string;
            type: string;
        };
        ProjectPage: {
            items: components["schemas"]["ProjectShape"][];
            next_cursor: string | null;
        };
        /** @description A project. */
        ProjectShape: {
            counts: components["schemas"]["CountsShape"];
            description: string;
            four_eyes: boolean;
            geometries: components["schemas"]["GeometriesEnum"][];
            /** Format: uuid */
            id: string;
            labels: components["schemas"]["LabelShape"][];
            my_role: components["schemas"]["Role"];
            name: string;
            required_approvals: number;
            review_rule: components["schemas"]["ReviewRuleEnum"];
            sampling: components["schemas"]["SamplingEnum"];
            start_jobs: boolean;
            submit_on_confirm: boolean;
            task_lock_ttl_seconds: number;
        };
        /** @description An action that has to be explained. */
        ReasonedAct: {
            reason: string;
            /**
             * Format: uuid
             * @description Makes a repeated request the same request.
             */
            request_id?: string | null;
        };
        /** @description A region's preview. */
        RegionShape: {
            /** Format: date-time */
            applied_at: string | null;
            /** Format: uuid */
            base_set_id: string | null;
            config_version: number;
            /** Format: date-time */
            created_at: string;
            failed_conditions: string[];
            /** Format: uuid */
            id: string;
            items: {
                bbox?: number[] | null;
                center?: number[] | null;
                id?: string | null;
                label?: string | null;
                score?: number | null;
            }[];
            reference: number[] | null;
            region: number[];
            /** Format: uuid */
            run_id: string | null;
            /** Format: uuid */
            task_id: string;
        };
        /** @description Why it goes back, and where. */
        RejectBody: {
            annotation_revision?: number | null;
            client_id?: string | null;
            lock_token?: number | null;
            /** @default  */
            override_reason: string;
            pins?: components["schemas"]["PinBody"][];
            reason: string;
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description Who took a completed task up again, when, and why. */
        ReopeningShape: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["PersonShape"] | null;
            reason: string;
        };
        /** @description Why a box has no cut-out. */
        ResultReason: {
            code: string;
            message: string;
        };
        /** @description A job's results. */
        Results: {
            items: components["schemas"]["ResultShape"][];
            /** Format: uuid */
            job_id: string;
            status: components["schemas"]["JobStatus"];
        };
        /** @description One box's result. */
        ResultShape: {
            bbox: number[] | null;
            box_id: string;
            cutout_url: string | null;
            gate: {
                [key: string]: unknown;
            };
            label: string | null;
            mask_url: string | null;
            outcome: components["schemas"]["ResultShapeOutcomeEnum"];
            reason: components["schemas"]["ResultReason"] | null;
        };
        /**
         * @description * `succeeded` - succeeded
         *     * `failed` - failed
         *     * `rejected` - rejected
         *     * `skipped` - skipped
         * @enum {string}
         */
        ResultShapeOutcomeEnum: "succeeded" | "failed" | "rejected" | "skipped";
        /**
         * @description * `any` - Any
         *     * `majority` - Majority
         *     * `all` - All
         * @enum {string}
         */
        ReviewRuleEnum: "any" | "majority" | "all";
        /**
         * @description * `super_admin` - super_admin
         *     * `project_admin` - project_admin
         *     * `reviewer` - reviewer
         *     * `annotator` - annotator
         *     * `viewer` - viewer
         * @enum {string}
         */
        Role: "super_admin" | "project_admin" | "reviewer" | "annotator" | "viewer";
        /**
         * @description * `any` - any
         *     * `majority` - majority
         *     * `all` - all
         * @enum {string}
         */
        RuleEnum: "any" | "majority" | "all";
        RunPage: {
            items: components["schemas"]["RunShape"][];
            next_cursor: string | null;
        };
        /** @description How far it is. */
        RunProgressShape: {
            done: number;
            phase: string;
            total: number;
        };
        /** @description A model run. */
        RunShape: {
            adapter_version: string;
            attempt: number;
            code_version: string;
            /** Format: date-time */
            created_at: string;
            created_by: components["schemas"]["PersonShape"] | null;
            error: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            finished_at: string | null;
            ignored_reports: components["schemas"]["IgnoredReportShape"][];
            /** Format: uuid */
            job_id: string | null;
            kind: string;
            model: string;
            progress: components["schemas"]["RunProgressShape"];
            prompt_version: string;
            provider: string;
            reference: number[] | null;
            region: number[] | null;
            result: {
                [key: string]: string;
            } | null;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            started_at: string | null;
            status: string;
            /** Format: uuid */
            task_id: string;
            warnings: unknown[];
        };
        /** @description The new run. */
        RunStarted: {
            /** Format: uuid */
            run_id: string;
        };
        /**
         * @description * `sequence` - Sequence
         *     * `random` - Random
         *     * `uncertainty` - Uncertainty
         * @enum {string}
         */
        SamplingEnum: "sequence" | "random" | "uncertainty";
        /** @description Any of the three parts. */
        SaveBody: {
            candidates?: components["schemas"]["CandidatesBody"];
            client_id?: string | null;
            config?: components["schemas"]["ConfigBody"];
            draft?: components["schemas"]["DraftBody"];
            lock_token?: number | null;
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description The versions after a save. */
        SavedShape: {
            /** Format: uuid */
            candidate_set_id: string | null;
            config_version: number;
            draft_version: number;
            /** Format: date-time */
            saved_at: string;
        };
        /**
         * @description * `free` - free
         *     * `single` - single
         *     * `all` - all
         *     * `ordered` - ordered
         * @enum {string}
         */
        SelectionModeEnum: "free" | "single" | "all" | "ordered";
        /** @description A box as a client may send it; what only we write (score, source, edited) is accepted and ignored. */
        SentBox: {
            bbox?: number[];
            box_id?: string | null;
            candidate_id?: string | null;
            label?: string | null;
            target_policy?: components["schemas"]["TargetPolicyEnum"];
        };
        SessionPage: {
            items: components["schemas"]["SessionShape"][];
            next_cursor: string | null;
        };
        /** @description A live lock in the list of sessions. */
        SessionShape: {
            /** Format: date-time */
            acquired_at: string;
            client_id: string;
            device: string;
            /** Format: date-time */
            expire_at: string;
            /** Format: date-time */
            heartbeat_at: string;
            heartbeat_seconds: number;
            /** Format: date-time */
            stale_at: string;
            taken_over_from: components["schemas"]["PersonShape"] | null;
            task: components["schemas"]["NamedShape"];
            /** Format: uuid */
            task_id: string;
            token: number;
            ttl_seconds: number;
            user: components["schemas"]["PersonShape"];
        };
        /**
         * @description * `model` - model
         *     * `manual` - manual
         * @enum {string}
         */
        SourceEnum: "model" | "manual";
        /**
         * @description * `WAITING_USER_SELECTION` - WAITING_USER_SELECTION
         *     * `WAITING_BOX_BATCH_REVISION` - WAITING_BOX_BATCH_REVISION
         * @enum {string}
         */
        StageEnum: "WAITING_USER_SELECTION" | "WAITING_BOX_BATCH_REVISION";
        /** @description JSON: a job on a task. */
        StartJob: {
            /** @default cut-out */
            pipeline: string;
            /** Format: uuid */
            request_id?: string | null;
            /** Format: uuid */
            task: string;
        };
        /** @description Multipart: a job on a new picture. */
        StartJobWithPicture: {
            /** Format: uuid */
            batch?: string;
            /** Format: uri */
            image: string;
            /** @default cut-out */
            pipeline: string;
            /** Format: uuid */
            project: string;
            /** Format: uuid */
            request_id?: string | null;
        };
        /** @description Which model, and where. */
        StartRunBody: {
            client_id?: string | null;
            kind: components["schemas"]["StartRunBodyKindEnum"];
            lock_token?: number | null;
            reference?: number[] | null;
            region?: number[] | null;
            /** Format: uuid */
            request_id?: string | null;
        };
        /**
         * @description * `DETECT_SUBJECTS` - DETECT_SUBJECTS
         *     * `JUDGE_CANDIDATES` - JUDGE_CANDIDATES
         *     * `DETECT_REGION` - DETECT_REGION
         * @enum {string}
         */
        StartRunBodyKindEnum: "DETECT_SUBJECTS" | "JUDGE_CANDIDATES" | "DETECT_REGION";
        /** @description The draft's version, if the sender wants it checked. */
        SubmitBody: {
            client_id?: string | null;
            expected_draft_version?: number | null;
            lock_token?: number | null;
            /** Format: uuid */
            request_id?: string | null;
        };
        /**
         * @description * `segment` - segment
         *     * `skip` - skip
         *     * `validate` - validate
         * @enum {string}
         */
        TargetPolicyEnum: "segment" | "skip" | "validate";
        TaskJob: {
            /** Format: uuid */
            job_id: string;
            status: string;
        };
        /** @description The task and the caller's lock. */
        TaskLockReply: {
            lock: components["schemas"]["LockShape"] | null;
            task: components["schemas"]["TaskShape"];
        };
        TaskPage: {
            items: components["schemas"]["TaskShape"][];
            next_cursor: string | null;
        };
        /** @description What an action made of the task. */
        TaskReply: {
            task: components["schemas"]["TaskShape"];
        };
        /** @description A task. */
        TaskShape: {
            annotation_revision: number | null;
            asset: components["schemas"]["PictureShape"] | null;
            assignee: components["schemas"]["PersonShape"] | null;
            batch: components["schemas"]["NamedShape"];
            config: components["schemas"]["ConfigShape"];
            /** Format: uuid */
            id: string;
            job: components["schemas"]["TaskJob"] | null;
            last_decision: components["schemas"]["LastDecisionShape"] | null;
            lock: components["schemas"]["LockShape"] | null;
            mark: components["schemas"]["Mark"];
            name: string;
            project: components["schemas"]["NamedShape"];
            status: components["schemas"]["TaskStatus"];
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /**
         * @description * `uploading` - uploading
         *     * `pending` - pending
         *     * `in_progress` - in_progress
         *     * `review` - review
         *     * `completed` - completed
         * @enum {string}
         */
        TaskStatus: "uploading" | "pending" | "in_progress" | "review" | "completed";
        TokenPage: {
            items: components["schemas"]["TokenShape"][];
            next_cursor: string | null;
        };
        /** @description An API token; its text only in the reply that made it. */
        TokenShape: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string | null;
            name: string;
        };
        /** @description What the project declared for a pause that nobody answers. */
        UnansweredShape: {
            after_seconds: number;
            answer: components["schemas"]["DefaultAnswer"];
            policy_version: string;
        };
        /** @description Something to know about a result. */
        Warned: {
            code: string;
            message: string;
        };
        /**
         * @description * `resumed` - resumed
         *     * `returned_to_you` - returned_to_you
         *     * `left_unfinished` - left_unfinished
         *     * `sequence` - sequence
         *     * `random` - random
         *     * `uncertainty` - uncertainty
         * @enum {string}
         */
        WhyEnum: "resumed" | "returned_to_you" | "left_unfinished" | "sequence" | "random" | "uncertainty";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
