using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP;
using CoAP.Options;
using Samples;

namespace SampleClient;

/// <summary>The parsed command line.</summary>
internal sealed record Arguments(CoapRequest Request, bool IsSync, TimeSpan? ObserveFor, ProgressLine? Progress, X509Certificate2Collection? TrustedRoots)
{
    /// <summary>The pre-shared key for "coaps".</summary>
    public PreSharedKey? Key { get; private init; }

    /// <summary>The certificate for "coaps".</summary>
    public X509Certificate2? Certificate { get; private init; }

    public const string Usage = """
        Usage: SampleClient METHOD URI [--payload TEXT | --file F] [--observe SECONDS] [--sync] [--non] [--block-size N]
                     [--ca FILE] [--psk IDENTITY:KEY] [--cert FILE --key FILE] [--help]
        METHOD is GET, POST, PUT, DELETE, FETCH, PATCH or IPATCH. The scheme of URI selects the transport, such as coap or coap+tcp.
        --payload and --file name the body of the request: a text, or a file of any size.
        --observe prints the states of the resource for this time.
        --sync makes the call in its synchronous form. --non sends a non-confirmable message.
        --block-size is the preferred size of blocks: 16, 32, 64, 128, 256, 512 or 1024 bytes.
        --ca names the root certificates to trust for coaps and coaps+tcp. Default: those of the system.
        --psk is the pre-shared key for coaps. KEY is text, or hexadecimal digits after 0x.
        --cert and --key name the certificate for coaps and its private key. They are not used together with --psk.
        Exit codes: 0 success, 1 the server answered with an error, 2 no response or wrong arguments.
        Example: SampleClient GET coap://localhost/time --observe 5
        """;

    private static readonly int[] BlockSizes = [16, 32, 64, 128, 256, 512, 1024];

    private static readonly Dictionary<string, CoapCode> Methods = new(StringComparer.OrdinalIgnoreCase)
    {
        ["GET"] = RequestCode.Get,
        ["POST"] = RequestCode.Post,
        ["PUT"] = RequestCode.Put,
        ["DELETE"] = RequestCode.Delete,
        ["FETCH"] = RequestCode.Fetch,
        ["PATCH"] = RequestCode.Patch,
        ["IPATCH"] = RequestCode.IPatch,
    };

    public static bool TryParse(string[] args, Stream output, [NotNullWhen(true)] out Arguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        var method = CoapCode.Empty;
        error = args.Length < 2 ? "A method and a URI are needed."
            : Methods.TryGetValue(args[0], out method) ? null
            : $"Unknown method '{args[0]}'. Known methods: {string.Join(", ", Methods.Keys)}.";

        var (isSync, isConfirmable) = (false, true);
        TimeSpan? observeFor = null;
        int? blockSize = null;
        byte[]? payload = null;
        FileStream? file = null;
        X509Certificate2Collection? roots = null;
        List<PreSharedKey> keys = [];
        string? certificateFile = null, keyFile = null;
        X509Certificate2? certificate = null;
        ContentFormat? format = null;
        for (var at = 2; at < args.Length && error is null; at++)
        {
            switch (args[at])
            {
                case "--sync": isSync = true; break;
                case "--non": isConfirmable = false; break;
                case "--payload" or "--file" when payload is not null || file is not null: error = "Give --payload or --file, and only once."; break;
                case "--payload" when ++at < args.Length: (payload, format) = (Encoding.UTF8.GetBytes(args[at]), new(ContentFormats.TextPlain)); break;
                case "--file" when ++at < args.Length: error = Open(args[at], out file); break;
                case "--payload" or "--file": error = $"{args[^1]} needs a value."; break;
                case "--observe" when ++at < args.Length && double.TryParse(args[at], CultureInfo.InvariantCulture, out var seconds) && seconds is > 0 and < 1e6:
                    observeFor = TimeSpan.FromSeconds(seconds);
                    break;
                case "--observe": error = "--observe needs a number of seconds."; break;
                case "--block-size" when ++at < args.Length && int.TryParse(args[at], CultureInfo.InvariantCulture, out var size) && BlockSizes.Contains(size):
                    blockSize = size;
                    break;
                case "--block-size": error = $"--block-size is one of {string.Join(", ", BlockSizes)} (RFC 7959, section 2.2)."; break;
                case "--ca" when ++at < args.Length: error = ReadRoots(args[at], out roots); break;
                case "--ca": error = "--ca needs a file with trusted root certificates."; break;
                case "--psk" when ++at < args.Length: error = KeyArgument.TryAdd(args[at], keys); break;
                case "--psk": error = "--psk needs IDENTITY:KEY. The key is text, or hexadecimal digits after 0x."; break;
                case "--cert" when ++at < args.Length: certificateFile = args[at]; break;
                case "--key" when ++at < args.Length: keyFile = args[at]; break;
                case "--cert" or "--key": error = $"{args[^1]} needs a file."; break;
                default: error = KeyArgument.Unknown(args[at]); break;
            }
        }
        if (certificateFile is not null || keyFile is not null) { error ??= ReadCertificate(certificateFile, keyFile, out certificate); }
        if (error is not null) { return false; }
        var progress = ProgressLine.ForTerminal();
        var request = new CoapRequest(method, args[1])
        {
            IsConfirmable = isConfirmable,
            Options = format is null ? [] : [format],
            Payload = payload,
            Body = file is null ? null : BodySource.From(file, file.Length),
            // The body is printed as it arrives, so it may be larger than memory. Notifications are printed one by one.
            ResponseBody = observeFor is null ? BodyTarget.To(output) : null,
            PreferredBlockSize = blockSize,
            Progress = progress,
        };
        arguments = new(request, isSync, observeFor, progress, roots) { Key = keys.LastOrDefault(), Certificate = certificate };
        return true;
    }

    private static string? Open(string path, out FileStream? file)
    {
        file = null;
        try
        {
            file = File.OpenRead(path);
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return $"The file cannot be read: {exception.Message}";
        }
    }

    private static string? ReadCertificate(string? file, string? keyFile, out X509Certificate2? certificate)
    {
        certificate = null;
        if (file is null || keyFile is null) { return "--cert and --key must be given together."; }
        try
        {
            certificate = X509Certificate2.CreateFromPemFile(file, keyFile);
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException)
        {
            return $"The certificate cannot be read: {exception.Message}";
        }
    }

    private static string? ReadRoots(string path, out X509Certificate2Collection roots)
    {
        roots = [];
        try
        {
            roots.ImportFromPemFile(path);
            return roots.Count > 0 ? null : $"There is no certificate in {path}.";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException)
        {
            return $"The certificates cannot be read: {exception.Message}";
        }
    }
}
