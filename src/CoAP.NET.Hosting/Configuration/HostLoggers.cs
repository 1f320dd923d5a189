using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.Hosting;

/// <summary>The loggers of the host, for settings that have not chosen others.</summary>
internal static class HostLoggers
{
    private static readonly ILoggerFactory Unset = new CoapClientSettings().LoggerFactory;

    /// <summary>Returns the loggers of the settings or, if they were not set, those of the host.</summary>
    public static ILoggerFactory Or(ILoggerFactory chosen, IServiceProvider services) =>
        ReferenceEquals(chosen, Unset) ? services.GetService<ILoggerFactory>() ?? chosen : chosen;
}
