using System.Globalization;

namespace CoAP.Interop.Tests.Programs;

/// <summary>A server of node-coap on a free port. It keeps what is put, sends it back, and counts for observers.</summary>
internal sealed class NodeCoapServer : IAsyncDisposable
{
    private const string Script = """
        const bodies = {};
        const server = require('coap').createServer((request, response) => {
            if (request.method === 'PUT') {
                bodies[request.url] = request.payload;
                response.code = '2.04';
                response.end();
            } else if (request.url === '/count' && request.headers['Observe'] === 0) {
                let count = 0;
                const timer = setInterval(() => response.write(String(count++)), 50);
                response.on('finish', () => clearInterval(timer));
            } else {
                response.end(bodies[request.url] ?? '');
            }
        });
        server.listen(0, '127.0.0.1', () => console.log('port', server._sock.address().port));
        """;

    private readonly RunningProgram _program;

    private NodeCoapServer(RunningProgram program, int port) => (_program, Uri) = (program, $"coap://127.0.0.1:{port}");

    /// <summary>The URI without a path.</summary>
    public string Uri { get; }

    public static async Task<NodeCoapServer> StartAsync()
    {
        await Needed.NodePackageAsync("coap");
        var program = RunningProgram.Start(RunningProgram.LongLife, "node", "-e", Script);
        var line = await program.LineAsync(static line => line.StartsWith("port ", StringComparison.Ordinal));
        return new(program, int.Parse(line[5..], CultureInfo.InvariantCulture));
    }

    public override string ToString() => _program.ToString();

    public ValueTask DisposeAsync() => _program.DisposeAsync();
}
