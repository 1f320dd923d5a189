using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Finds the section of the configuration with the settings of a server or a client.</summary>
internal static class ConfiguredSection
{
    /// <summary>Returns the section; <see langword="null"/> if the host has no configuration, or it does not have the default section.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="chosen">The path that the program has passed to BindConfiguration; <see langword="null"/> for the default section.</param>
    /// <param name="byDefault">The path of the default section, which may be missing.</param>
    /// <exception cref="InvalidOperationException">The chosen section does not exist.</exception>
    public static IConfigurationSection? Find(IServiceProvider services, string? chosen, string byDefault)
    {
        var section = services.GetService<IConfiguration>()?.GetSection(chosen ?? byDefault);
        if (section is not null && section.Exists()) { return section; }
        return chosen is null ? null : throw new InvalidOperationException(
            $"The configuration has no section '{chosen}', which was passed to BindConfiguration. Add the section, or remove the call.");
    }
}
