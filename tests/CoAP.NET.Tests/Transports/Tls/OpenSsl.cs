using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace CoAP.Tests.Transports.Tls;

/// <summary>The program openssl as the peer.</summary>
internal sealed class OpenSsl : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly ConcurrentQueue<string> _errors = new();
    private readonly string? _file;

    private OpenSsl(string[] arguments, string? file = null)
    {
        _file = file;
        _process = Process.Start(new ProcessStartInfo("openssl", arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.Latin1,
        })!;
        _process.ErrorDataReceived += (_, line) => _errors.Enqueue(line.Data ?? "");
        _process.BeginErrorReadLine();
    }

    public static bool IsThere { get; } = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(folder => File.Exists(Path.Combine(folder, "openssl")));

    /// <summary>Starts a server with this certificate that answers lines.</summary>
    public static OpenSsl Serve(X509Certificate2 certificate)
    {
        var file = Path.GetTempFileName();
        using var key = certificate.GetECDsaPrivateKey()!;
        File.WriteAllText(file, $"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n");
        return new OpenSsl(["s_server", "-accept", "127.0.0.1:0", "-cert", file, "-key", file, "-alpn", "coap", "-rev"], file);
    }

    /// <summary>
    /// Connects until the CSM of the server arrives, and returns the output and the errors. Sessions to keep arrive before the CSM.
    /// </summary>
    public static async Task<string> ConnectAsync(IPEndPoint address, params string[] arguments)
    {
        using var client = new OpenSsl(["s_client", "-connect", address.ToString(), "-alpn", "coap", .. arguments]);
        var text = await client.ReadUntilAsync(static text => text.Contains('\u00E1', StringComparison.Ordinal));     // 7.01
        try
        {
            await client._process.StandardInput.WriteAsync("Q\n");
            await client._process.StandardInput.FlushAsync();
        }
        catch (IOException)
        {
            // The server has closed the connection, and the program has ended. Its output tells what came before.
        }
        text += await client._process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        await client._process.WaitForExitAsync().WaitAsync(Patience);
        return $"{text}\n{string.Join('\n', client._errors)}";
    }

    /// <summary>The port that the server listens on.</summary>
    public async Task<IPEndPoint> AddressAsync()
    {
        var text = await ReadUntilAsync(static text => text.EndsWith('\n') && text.Contains("ACCEPT ", StringComparison.Ordinal));
        return IPEndPoint.Parse(text.Split("ACCEPT ")[1].Trim());
    }

    public void Dispose()
    {
        if (!_process.HasExited) { _process.Kill(); }
        _process.Dispose();
        if (_file is not null) { File.Delete(_file); }
    }

    private async Task<string> ReadUntilAsync(Func<string, bool> isEnough)
    {
        var text = "";
        var buffer = new char[4096];
        using var limit = new CancellationTokenSource(Patience);
        while (!isEnough(text) && await _process.StandardOutput.ReadAsync(buffer, limit.Token) is var count and > 0) { text += new string(buffer, 0, count); }
        return text;
    }
}
