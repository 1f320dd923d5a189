namespace CoAP.Formats;

/// <summary>The names of the units of SenML (RFC 8428, section 12.1, and RFC 8798, section 2). Other names may be used, too.</summary>
/// <remarks>SenML sends values in these units only: 1.2 kW is 1,200 W. See <see cref="SenmlSecondaryUnits"/> for the exception.</remarks>
public static class SenmlUnits
{
    /// <summary>Meter.</summary>
    public const string Meter = "m";

    /// <summary>Kilogram.</summary>
    public const string Kilogram = "kg";

    /// <summary>Gram. Not recommended: use kilograms.</summary>
    public const string Gram = "g";

    /// <summary>Second.</summary>
    public const string Second = "s";

    /// <summary>Ampere.</summary>
    public const string Ampere = "A";

    /// <summary>Kelvin.</summary>
    public const string Kelvin = "K";

    /// <summary>Candela.</summary>
    public const string Candela = "cd";

    /// <summary>Mole.</summary>
    public const string Mole = "mol";

    /// <summary>Hertz.</summary>
    public const string Hertz = "Hz";

    /// <summary>Radian.</summary>
    public const string Radian = "rad";

    /// <summary>Steradian.</summary>
    public const string Steradian = "sr";

    /// <summary>Newton.</summary>
    public const string Newton = "N";

    /// <summary>Pascal.</summary>
    public const string Pascal = "Pa";

    /// <summary>Joule.</summary>
    public const string Joule = "J";

    /// <summary>Watt.</summary>
    public const string Watt = "W";

    /// <summary>Coulomb.</summary>
    public const string Coulomb = "C";

    /// <summary>Volt.</summary>
    public const string Volt = "V";

    /// <summary>Farad.</summary>
    public const string Farad = "F";

    /// <summary>Ohm.</summary>
    public const string Ohm = "Ohm";

    /// <summary>Siemens.</summary>
    public const string Siemens = "S";

    /// <summary>Weber.</summary>
    public const string Weber = "Wb";

    /// <summary>Tesla.</summary>
    public const string Tesla = "T";

    /// <summary>Henry.</summary>
    public const string Henry = "H";

    /// <summary>Degrees Celsius.</summary>
    public const string DegreesCelsius = "Cel";

    /// <summary>Lumen.</summary>
    public const string Lumen = "lm";

    /// <summary>Lux.</summary>
    public const string Lux = "lx";

    /// <summary>Becquerel.</summary>
    public const string Becquerel = "Bq";

    /// <summary>Gray.</summary>
    public const string Gray = "Gy";

    /// <summary>Sievert.</summary>
    public const string Sievert = "Sv";

    /// <summary>Katal.</summary>
    public const string Katal = "kat";

    /// <summary>Square meter: area.</summary>
    public const string SquareMeter = "m2";

    /// <summary>Cubic meter: volume.</summary>
    public const string CubicMeter = "m3";

    /// <summary>Liter: volume. Not recommended: use cubic meters.</summary>
    public const string Liter = "l";

    /// <summary>Meters per second: velocity.</summary>
    public const string MetersPerSecond = "m/s";

    /// <summary>Meters per square second: acceleration.</summary>
    public const string MetersPerSquareSecond = "m/s2";

    /// <summary>Cubic meters per second: flow rate.</summary>
    public const string CubicMetersPerSecond = "m3/s";

    /// <summary>Liters per second: flow rate. Not recommended: use cubic meters per second.</summary>
    public const string LitersPerSecond = "l/s";

    /// <summary>Watts per square meter: irradiance.</summary>
    public const string WattsPerSquareMeter = "W/m2";

    /// <summary>Candelas per square meter: luminance.</summary>
    public const string CandelasPerSquareMeter = "cd/m2";

    /// <summary>Bit: information content.</summary>
    public const string Bit = "bit";

    /// <summary>Bits per second: data rate.</summary>
    public const string BitsPerSecond = "bit/s";

    /// <summary>Degrees of latitude, in WGS84 unless the sensor uses another frame.</summary>
    public const string Latitude = "lat";

    /// <summary>Degrees of longitude, in WGS84 unless the sensor uses another frame.</summary>
    public const string Longitude = "lon";

    /// <summary>pH: acidity.</summary>
    public const string PH = "pH";

    /// <summary>Decibel.</summary>
    public const string Decibel = "dB";

    /// <summary>Decibels relative to 1 W: power level.</summary>
    public const string DecibelWatt = "dBW";

    /// <summary>Bel: sound pressure level. Not recommended.</summary>
    public const string BelSoundPressure = "Bspl";

    /// <summary>A counter.</summary>
    public const string Count = "count";

    /// <summary>A ratio. For a switch, 0 is off and 1 is on.</summary>
    public const string Ratio = "/";

    /// <summary>Not recommended. The same as <see cref="Ratio"/>: 1 means on, not one percent.</summary>
    public const string Percent = "%";

    /// <summary>Relative humidity in percent.</summary>
    public const string RelativeHumidity = "%RH";

    /// <summary>Remaining energy of a battery in percent.</summary>
    public const string BatteryLevel = "%EL";

    /// <summary>Remaining energy of a battery in seconds.</summary>
    public const string BatterySeconds = "EL";

    /// <summary>Events per second.</summary>
    public const string PerSecond = "1/s";

    /// <summary>Events per minute, such as revolutions. Not recommended: use events per second.</summary>
    public const string PerMinute = "1/min";

    /// <summary>Heartbeats per minute. Not recommended.</summary>
    public const string BeatsPerMinute = "beat/min";

    /// <summary>Heartbeats. Not recommended.</summary>
    public const string Beats = "beats";

    /// <summary>Siemens per meter: conductivity.</summary>
    public const string SiemensPerMeter = "S/m";

    /// <summary>Byte: information content (RFC 8798).</summary>
    public const string Byte = "B";

    /// <summary>Volt-ampere: apparent power (RFC 8798).</summary>
    public const string VoltAmpere = "VA";

    /// <summary>Volt-ampere second: apparent energy (RFC 8798).</summary>
    public const string VoltAmpereSecond = "VAs";

    /// <summary>Volt-ampere reactive: reactive power (RFC 8798).</summary>
    public const string Var = "var";

    /// <summary>Volt-ampere reactive second: reactive energy (RFC 8798).</summary>
    public const string VarSecond = "vars";

    /// <summary>Joules per meter: energy per distance (RFC 8798).</summary>
    public const string JoulesPerMeter = "J/m";

    /// <summary>Kilograms per cubic meter: mass concentration (RFC 8798).</summary>
    public const string KilogramsPerCubicMeter = "kg/m3";

    /// <summary>Degree: angle (RFC 8798). Not recommended: use radians.</summary>
    public const string Degree = "deg";
}
