ALTER TABLE "run_records" DROP CONSTRAINT "run_records_run_id_runs_id_fk";
