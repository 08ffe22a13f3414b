CREATE TABLE "run_changes" (
	"run_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"action" text NOT NULL,
	"source_id" text NOT NULL,
	"record_id" bigint,
	"version" bigint,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"before" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"after" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"entangled" boolean DEFAULT false NOT NULL,
	"source_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "run_changes_run_id_seq_pk" PRIMARY KEY("run_id","seq"),
	CONSTRAINT "run_changes_state_check" CHECK ("run_changes"."state" in ('planned', 'done', 'failed'))
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "run_records" (
	"run_id" bigint NOT NULL,
	"source_id" text NOT NULL,
	"parent_source_id" text DEFAULT '' NOT NULL,
	"department_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"union_id" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"fields" jsonb NOT NULL,
	"name_key" text,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "run_records_run_id_source_id_pk" PRIMARY KEY("run_id","source_id")
);
--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "source_fields" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "dry_run" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "exclusive" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "phase" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "progress" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "progress_of" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "plan_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "gaps" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "held_because" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "decided_by" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "source_fields" jsonb;--> statement-breakpoint
ALTER TABLE "run_changes" ADD CONSTRAINT "run_changes_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_records" ADD CONSTRAINT "run_records_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_running_key" ON "runs" USING btree ("source") WHERE "runs"."state" = 'running' and "runs"."exclusive";--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_state_check" CHECK ("runs"."state" in ('running', 'done', 'held', 'failed', 'planned', 'discarded'));