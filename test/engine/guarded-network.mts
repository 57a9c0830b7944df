// To be imported before anything of n8n, which reads it once: requests to addresses inside the network are refused.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
