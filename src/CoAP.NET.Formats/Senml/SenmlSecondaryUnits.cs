using System.Collections.Frozen;

namespace CoAP.Formats;

/// <summary>The names of the secondary units of SenML, and their conversion (RFC 8798, section 3).</summary>
/// <remarks>
/// Convert values to units of <see cref="SenmlUnits"/> before you send them. A pack with secondary units needs version 26 (RFC 9100), which not all
/// receivers support. <see cref="SenmlPack.Of"/> sets it.
/// </remarks>
public static class SenmlSecondaryUnits
{
    /// <summary>Millisecond.</summary>
    public const string Millisecond = "ms";

    /// <summary>Minute.</summary>
    public const string Minute = "min";

    /// <summary>Hour.</summary>
    public const string Hour = "h";

    /// <summary>Megahertz.</summary>
    public const string Megahertz = "MHz";

    /// <summary>Kilowatt.</summary>
    public const string Kilowatt = "kW";

    /// <summary>Kilovolt-ampere.</summary>
    public const string KilovoltAmpere = "kVA";

    /// <summary>Kilovar.</summary>
    public const string Kilovar = "kvar";

    /// <summary>Ampere-hour.</summary>
    public const string AmpereHour = "Ah";

    /// <summary>Watt-hour.</summary>
    public const string WattHour = "Wh";

    /// <summary>Kilowatt-hour.</summary>
    public const string KilowattHour = "kWh";

    /// <summary>Var-hour.</summary>
    public const string VarHour = "varh";

    /// <summary>Kilovar-hour.</summary>
    public const string KilovarHour = "kvarh";

    /// <summary>Kilovolt-ampere-hour.</summary>
    public const string KilovoltAmpereHour = "kVAh";

    /// <summary>Watt-hours per kilometer.</summary>
    public const string WattHoursPerKilometer = "Wh/km";

    /// <summary>Kibibyte.</summary>
    public const string Kibibyte = "KiB";

    /// <summary>Gigabyte.</summary>
    public const string Gigabyte = "GB";

    /// <summary>Megabits per second.</summary>
    public const string MegabitsPerSecond = "Mbit/s";

    /// <summary>Bytes per second.</summary>
    public const string BytesPerSecond = "B/s";

    /// <summary>Megabytes per second.</summary>
    public const string MegabytesPerSecond = "MB/s";

    /// <summary>Millivolt.</summary>
    public const string Millivolt = "mV";

    /// <summary>Milliampere.</summary>
    public const string Milliampere = "mA";

    /// <summary>Decibels relative to 1 mW.</summary>
    public const string DecibelMilliwatt = "dBm";

    /// <summary>Micrograms per cubic meter.</summary>
    public const string MicrogramsPerCubicMeter = "ug/m3";

    /// <summary>Millimeters per hour.</summary>
    public const string MillimetersPerHour = "mm/h";

    /// <summary>Meters per hour.</summary>
    public const string MetersPerHour = "m/h";

    /// <summary>Parts per million.</summary>
    public const string PartsPerMillion = "ppm";

    /// <summary>Percent.</summary>
    public const string Percent = "/100";

    /// <summary>Permille.</summary>
    public const string Permille = "/1000";

    /// <summary>Hectopascal.</summary>
    public const string Hectopascal = "hPa";

    /// <summary>Millimeter.</summary>
    public const string Millimeter = "mm";

    /// <summary>Centimeter.</summary>
    public const string Centimeter = "cm";

    /// <summary>Kilometer.</summary>
    public const string Kilometer = "km";

    /// <summary>Kilometers per hour.</summary>
    public const string KilometersPerHour = "km/h";

    // The value in the unit of SenML is the value multiplied by the scale plus the offset.
    private static readonly FrozenDictionary<string, (string Unit, double Scale, double Offset)> Conversions =
        new Dictionary<string, (string, double, double)>(StringComparer.Ordinal)
        {
            [Millisecond] = (SenmlUnits.Second, 1.0 / 1000, 0),
            [Minute] = (SenmlUnits.Second, 60, 0),
            [Hour] = (SenmlUnits.Second, 3600, 0),
            [Megahertz] = (SenmlUnits.Hertz, 1e6, 0),
            [Kilowatt] = (SenmlUnits.Watt, 1000, 0),
            [KilovoltAmpere] = (SenmlUnits.VoltAmpere, 1000, 0),
            [Kilovar] = (SenmlUnits.Var, 1000, 0),
            [AmpereHour] = (SenmlUnits.Coulomb, 3600, 0),
            [WattHour] = (SenmlUnits.Joule, 3600, 0),
            [KilowattHour] = (SenmlUnits.Joule, 3_600_000, 0),
            [VarHour] = (SenmlUnits.VarSecond, 3600, 0),
            [KilovarHour] = (SenmlUnits.VarSecond, 3_600_000, 0),
            [KilovoltAmpereHour] = (SenmlUnits.VoltAmpereSecond, 3_600_000, 0),
            [WattHoursPerKilometer] = (SenmlUnits.JoulesPerMeter, 3.6, 0),
            [Kibibyte] = (SenmlUnits.Byte, 1024, 0),
            [Gigabyte] = (SenmlUnits.Byte, 1e9, 0),
            [MegabitsPerSecond] = (SenmlUnits.BitsPerSecond, 1e6, 0),
            [BytesPerSecond] = (SenmlUnits.BitsPerSecond, 8, 0),
            [MegabytesPerSecond] = (SenmlUnits.BitsPerSecond, 8e6, 0),
            [Millivolt] = (SenmlUnits.Volt, 1.0 / 1000, 0),
            [Milliampere] = (SenmlUnits.Ampere, 1.0 / 1000, 0),
            [DecibelMilliwatt] = (SenmlUnits.DecibelWatt, 1, -30),
            [MicrogramsPerCubicMeter] = (SenmlUnits.KilogramsPerCubicMeter, 1e-9, 0),
            [MillimetersPerHour] = (SenmlUnits.MetersPerSecond, 1.0 / 3_600_000, 0),
            [MetersPerHour] = (SenmlUnits.MetersPerSecond, 1.0 / 3600, 0),
            [PartsPerMillion] = (SenmlUnits.Ratio, 1e-6, 0),
            [Percent] = (SenmlUnits.Ratio, 1.0 / 100, 0),
            [Permille] = (SenmlUnits.Ratio, 1.0 / 1000, 0),
            [Hectopascal] = (SenmlUnits.Pascal, 100, 0),
            [Millimeter] = (SenmlUnits.Meter, 1.0 / 1000, 0),
            [Centimeter] = (SenmlUnits.Meter, 1.0 / 100, 0),
            [Kilometer] = (SenmlUnits.Meter, 1000, 0),
            [KilometersPerHour] = (SenmlUnits.MetersPerSecond, 1 / 3.6, 0),
        }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>Returns whether a unit is a secondary one.</summary>
    public static bool IsSecondary(string unit) => Conversions.ContainsKey(unit);

    /// <summary>
    /// Converts a value from a secondary unit to its unit of <see cref="SenmlUnits"/>. Returns <see langword="false"/> if the unit is not a secondary
    /// one.
    /// </summary>
    /// <param name="value">The value in the secondary unit; then in the other one.</param>
    /// <param name="unit">The secondary unit; then the other one.</param>
    public static bool TryConvert(ref double value, ref string unit)
    {
        if (!Conversions.TryGetValue(unit, out var conversion)) { return false; }
        value = (value * conversion.Scale) + conversion.Offset;
        unit = conversion.Unit;
        return true;
    }
}
